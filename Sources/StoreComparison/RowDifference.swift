public import StorePredicate

/// A row that only one of two compared stores has, or that differs between them.
public struct RowDifference: Hashable, Sendable {
  /// The kinds of differences.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Only the newer store has the row.
    case added
    /// Only the older store has the row.
    case removed
    /// Both stores have the row, with different values.
    case changed
  }

  /// The kind of the difference.
  public let kind: Kind
  /// The name of the entity.
  public let entity: String
  /// The object ID of the row in the newer store, or in the older store if the row was removed.
  public let objectID: ObjectID
  /// The object ID of the row in the older store. It differs from `objectID` if rows are matched by a key. `nil` if the
  /// row was added, or if a history was read and the row wasn't removed.
  public let oldObjectID: ObjectID?
  /// The properties that differ. If only one store has the row, all properties whose values are available.
  public let properties: [PropertyDifference]

  /// Returns the difference of a property, or `nil` if the property doesn't differ.
  ///
  /// - Parameter name: the name of the property. The name of a composite's element is a path such as `address.city`.
  public subscript(_ name: String) -> PropertyDifference? {
    properties.first { $0.property == name }
  }
}

/// The values of a property that differs between two stores.
public struct PropertyDifference: Hashable, Sendable {
  /// The name of the property.
  public let property: String
  /// The value in the older store. `nil` if the older store doesn't have the row, if the value is in a file that can't
  /// be read, or if a history doesn't contain the value.
  public let old: ComparedValue?
  /// The value in the newer store. `nil` if the newer store doesn't have the row, or if the value is in a file that
  /// can't be read.
  public let new: ComparedValue?
}

/// The value of an attribute or a relationship.
public enum ComparedValue: Hashable, Sendable {
  /// The value of an attribute. NULL is `.null`.
  case attribute(DataValue)
  /// The destination of a to-one relationship. `nil` if there is none.
  case toOne(ObjectID?)
  /// The members of a to-many relationship. The members of an ordered relationship are in their order.
  case toMany([ObjectID])
}
