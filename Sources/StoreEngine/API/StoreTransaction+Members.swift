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
  ///   - members: the rows, or their IDs, to add.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - position: the position of the first new member in an ordered relationship. The default is the end.
  /// - Returns: the number of added rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to add
  ///   doesn't exist or a relationship would have too many or too few members, `invalidRequest` for a position in a
  ///   relationship that isn't ordered or for a position that doesn't exist, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: ObjectReference>(
    _ members: [Member],
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>,
    at position: Int? = nil
  ) throws -> Int {
    try edit(path.relationship, of: owner, .add(at: position), members)
  }

  /// Adds a row to a to-many relationship.
  ///
  /// - Parameters:
  ///   - member: the row, or its ID, to add.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - position: the position of the new member in an ordered relationship. The default is the end.
  /// - Returns: `false` if the row is already a member.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to add
  ///   doesn't exist or a relationship would have too many or too few members, `invalidRequest` for a position in a
  ///   relationship that isn't ordered or for a position that doesn't exist, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: ObjectReference>(
    _ member: Member,
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>,
    at position: Int? = nil
  ) throws -> Bool {
    try add([member], to: path, of: owner, at: position) > 0
  }

  /// Removes rows from a to-many relationship, without deleting them.
  ///
  /// - Parameters:
  ///   - members: the rows, or their IDs, to remove.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  /// - Returns: the number of removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to remove
  ///   doesn't exist, if it requires an owner, or if a relationship would have too few members, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: ObjectReference>(
    _ members: [Member],
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>
  ) throws -> Int {
    try edit(path.relationship, of: owner, .remove, members)
  }

  /// Removes a row from a to-many relationship, without deleting it.
  ///
  /// - Parameters:
  ///   - member: the row, or its ID, to remove.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  /// - Returns: `false` if the row isn't a member.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to remove
  ///   doesn't exist, if it requires an owner, or if a relationship would have too few members, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: ObjectReference>(
    _ member: Member,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>
  ) throws -> Bool {
    try remove([member], from: path, of: owner) > 0
  }

  /// Moves members of an ordered relationship to a position. Afterwards, they are next to each other, in the order of
  /// `members`.
  ///
  ///     try transaction.move([last], in: \.tracks, of: album, to: 0)
  ///
  /// - Parameters:
  ///   - members: the rows, or their IDs, to move.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - position: the number of other members that precede the moved rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row isn't a
  ///   member, `invalidRequest` if the relationship isn't ordered or the position doesn't exist, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func move<Object: StoredObject, Member: ObjectReference>(
    _ members: [Member],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>,
    to position: Int
  ) throws {
    _ = try edit(path.relationship, of: owner, .move(to: position), members)
  }

  /// Replaces all members of a to-many relationship. An ordered relationship uses the order of `members`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - members: the new members or their IDs.
  /// - Returns: the total number of added and removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a new member
  ///   doesn't exist, a removed member requires an owner, or a relationship would have too many or too few members,
  ///   `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func setMembers<Object: StoredObject, Member: ObjectReference>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>, to members: [Member]
  ) throws -> Int {
    try edit(path.relationship, of: owner, .replace, members)
  }

  /// Replaces all members of a to-many relationship by their IDs, for example by none: `to: []`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - members: the IDs of the new members.
  /// - Returns: the total number of added and removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a new member
  ///   doesn't exist, a removed member requires an owner, or a relationship would have too many or too few members,
  ///   `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func setMembers<Object: StoredObject, Member: StoredObject>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: some ObjectReference<Object>, to members: [TypedObjectID<Member>]
  ) throws -> Int {
    try edit(path.relationship, of: owner, .replace, members)
  }

  func edit<Object: StoredObject, Member: ObjectReference>(
    _ path: ToManyPath<Object, Member.Object>, of row: some ObjectReference<Object>,
    _ kind: MemberEdit.Kind, _ members: [Member]
  ) throws -> Int {
    try nested {
      let edit = MemberEdit(
        edited: try EditedRelationship(path.steps, of: row.id.objectID, in: owner.layout),
        layout: owner.layout, store: owner.store.metadata.uuid, connection: connection,
        session: open.session)
      return try edit.run(kind, members.map(\.id.objectID))
    }
  }
}
