import StoreModel
import StorePredicate

/// What a definition says about the rows of one entity that come from another, checked.
struct DefinedLine {
  /// Its place among the lines.
  let index: Int
  let definition: EntityDefinition
  let source: Entity
  let target: Entity
  var filter: TypedPredicate?
  var attributes: [String: DefinedValue] = [:]
  var relationships: [String: RelationshipOrigin] = [:]

  func put(over mapping: inout EntityMapping) {
    if let filter { mapping.filter = filter }
    for (name, value) in attributes {
      let inferred = mapping.attributes[name] ?? .nothing
      let fallback = value.fallback ?? inferred.fallback
      mapping.attributes[name] = AttributeOrigin(
        value.source ?? inferred.source, fallback: fallback == .null ? nil : fallback)
    }
    for (name, origin) in relationships { mapping.relationships[name] = origin }
  }
}

/// What a definition says about an attribute.
struct DefinedValue: Hashable {
  /// Nil is what is inferred.
  var source: AttributeOrigin.Source?
  /// Nil is what is inferred, null is none.
  var fallback: Value?
}
