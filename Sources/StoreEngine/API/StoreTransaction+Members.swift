import StoreLayout
public import StoreModel
import StoreCore

// Changes to to-many relationships. Each function updates both sides, their columns and join tables, and records the
// owners and members in the persistent history.
extension StoreTransaction {
  /// Adds rows to a to-many relationship.
  ///
  ///     try transaction.add([assam, sencha], to: \.products, of: shelf)
  ///
  /// Rows that are already members keep their positions. If the inverse relationship is to-one, the added rows leave
  /// their previous owner.
  ///
  /// - Parameters:
  ///   - members: the rows to add.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: the position of the first new member in an ordered relationship. The default is the end.
  /// - Returns: the number of added rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to add
  ///   doesn't exist or a relationship would have too many or too few members, `invalidRequest` for a position in a
  ///   relationship that isn't ordered or for a position that doesn't exist, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil
  ) throws -> Int {
    try edit(path.relationship, of: owner, .add(at: position), members)
  }

  /// Adds a row to a to-many relationship.
  ///
  /// - Parameters:
  ///   - member: the row to add.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: the position of the new member in an ordered relationship. The default is the end.
  /// - Returns: `false` if the row is already a member.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to add
  ///   doesn't exist or a relationship would have too many or too few members, `invalidRequest` for a position in a
  ///   relationship that isn't ordered or for a position that doesn't exist, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil
  ) throws -> Bool {
    try add([member], to: path, of: owner, at: position) > 0
  }

  /// Removes rows from a to-many relationship, without deleting them.
  ///
  /// - Parameters:
  ///   - members: the rows to remove.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  /// - Returns: the number of removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to remove
  ///   doesn't exist, if it requires an owner, or if a relationship would have too few members, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>
  ) throws -> Int {
    try edit(path.relationship, of: owner, .remove, members)
  }

  /// Removes a row from a to-many relationship, without deleting it.
  ///
  /// - Parameters:
  ///   - member: the row to remove.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  /// - Returns: `false` if the row isn't a member.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to remove
  ///   doesn't exist, if it requires an owner, or if a relationship would have too few members, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>
  ) throws -> Bool {
    try remove([member], from: path, of: owner) > 0
  }

  /// Moves members of an ordered relationship to a position. Afterwards, they are next to each other, in the order of
  /// `members`.
  ///
  ///     try transaction.move([last], in: \.tracks, of: album, to: 0)
  ///
  /// - Parameters:
  ///   - members: the rows to move.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: the number of other members that precede the moved rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row isn't a
  ///   member, `invalidRequest` if the relationship isn't ordered or the position doesn't exist, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func move<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    to position: Int
  ) throws {
    _ = try edit(path.relationship, of: owner, .move(to: position), members)
  }

  /// Replaces all members of a to-many relationship. An ordered relationship uses the order of `members`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - members: the new members.
  /// - Returns: the total number of added and removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a new member
  ///   doesn't exist, a removed member requires an owner, or a relationship would have too many or too few members,
  ///   `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func setMembers<Object: StoredObject, Member: StoredObject>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member>>, of owner: TypedObjectID<Object>,
    to members: [TypedObjectID<Member>]
  ) throws -> Int {
    try edit(path.relationship, of: owner, .replace, members)
  }

  func edit<Object: StoredObject, Member: StoredObject>(
    _ path: ToManyPath<Object, Member>, of id: TypedObjectID<Object>, _ kind: MemberEdit.Kind,
    _ members: [TypedObjectID<Member>]
  ) throws -> Int {
    try nested {
      let edit = MemberEdit(
        edited: try EditedRelationship(path.steps, of: id.objectID, in: owner.layout),
        layout: owner.layout, store: owner.store.metadata.uuid, connection: connection,
        session: open.session)
      return try edit.run(kind, members.map(\.objectID))
    }
  }
}
