/// A property by the entity that declares it; sub-entities share its column.
struct PropertyKey: Hashable {
  var entity: String
  var property: String

  init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }
}
