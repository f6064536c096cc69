public import StorePredicate

/// The object ID of a row that can be read as `Object`.
public struct TypedObjectID<Object: StoredObject>: Hashable, Sendable {
  /// Names the row's own entity, which may inherit from that of `Object`.
  public let objectID: ObjectID

  /// Nil for the ID of a row of another entity.
  @inlinable
  public init?(_ objectID: ObjectID) {
    // Most rows are of the type's own entity, and a set has to hash the name of each.
    guard
      objectID.entity == Object.entityName || Object.entityNames.contains(objectID.entity)
    else { return nil }
    self.objectID = objectID
  }

  /// For an ID that a store gave for a row of this type.
  package init(trusted objectID: ObjectID) {
    self.objectID = objectID
  }

  /// The same row as one of an entity that `Object` inherits from, or, when the row is one, of an
  /// entity that inherits from it; else nil.
  public func cast<Other: StoredObject>(to _: Other.Type) -> TypedObjectID<Other>? {
    TypedObjectID<Other>(objectID)
  }
}

extension TypedObjectID: CustomStringConvertible {
  /// The URI: `x-coredata://STORE-UUID/Product/p7`.
  public var description: String { objectID.uri }
}

extension TypedObjectID {
  /// Only this row.
  package var predicate: FormatPredicate {
    .comparison(Comparison(FormatExpression(.selfObject), .equal, .value(storeValue)))
  }
}

extension TypedObjectID {
  /// The members of a to-many relationship of this row, as a query: to be narrowed, sorted, counted and followed as any
  /// other.
  ///
  ///     try await store.fetch(order.id.members(of: \.lines).where(\.amount > 1).limit(10))
  ///
  /// Those of an ordered relationship are in its order, where nothing else is said. A row that is not there has none.
  public func members<Member: StoredObject>(
    of path: KeyPath<Object.Properties, ToManyPath<Object, Member>>
  ) -> TypedQuery<Member> {
    var request = StoreFetchRequest(entity: Member.entityName)
    request.membership = Membership(owner: objectID, path: path.relationship.steps.map(\.name))
    return TypedQuery(request)
  }
}
