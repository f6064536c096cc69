import RecordFormats
import StoreModel

/// One object of the JSON, on its way to become a row.
struct ImportedObject {
  let entity: Entity
  /// The record's `$id`, by which others in the file refer to it.
  var identity: String?
  var attributes: [ImportedValue] = []
  var links: [ImportedLink] = []

  /// Whether it has something behind a to-one relationship.
  func gives(_ relationship: String) -> Bool {
    links.contains { $0.relationship.name == relationship && !$0.targets.isEmpty }
  }

  /// Whether the JSON said anything about it.
  var isEmpty: Bool {
    identity == nil && links.allSatisfy(\.targets.isEmpty)
      && attributes.allSatisfy(\.value.isNull)
  }
}

/// The value of an attribute.
struct ImportedValue {
  var attribute: String
  var value: JSONValue
}

/// A relationship and what it leads to: one target for a to-one, members in order for a to-many, none
/// for `null`.
struct ImportedLink {
  let relationship: Relationship
  var targets: [ImportedTarget]
}

/// What a relationship leads to.
indirect enum ImportedTarget {
  /// An object nested in the one that has the relationship.
  case object(ImportedObject)
  /// The `$id` of a record in the file, the object ID of a row in the store, or the value of a key.
  case reference(String)
}
