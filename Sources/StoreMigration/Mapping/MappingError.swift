package import StoreModel

/// Why the way from one version to the next can't be inferred, or not for the rows of this store.
package enum MappingError: Error, Hashable, Sendable {
  /// An attribute is required, has no default, and rows have no value for it.
  case missingValue(entity: String, attribute: String, sourceAttribute: String?)
  /// No safe conversion between the types.
  case typeChange(entity: String, attribute: String, from: AttributeType, to: AttributeType)
  /// A conversion that every value must survive: these don't.
  case inconvertible(entity: String, attribute: String, from: AttributeType, to: AttributeType)
  /// A value lies in a file beside the store, and the target keeps it in the row.
  case unreadableFile(entity: String, attribute: String)
  /// Rows with equal values where the target demands unique ones.
  case duplicates(entity: String, properties: [String])
  /// A to-one is required, and rows have no destination for it.
  case missingDestination(
    entity: String, relationship: String, sourceEntity: String, sourceRelationship: String?)
  /// Rows share a destination that has place for one of them: the relationship's inverse is a to-one.
  case sharedDestination(
    entity: String, relationship: String, inverse: String, sourceEntity: String, loss: String)
  /// Rows that exist become those of an entity that is abstract.
  case abstractEntity(String)
}
