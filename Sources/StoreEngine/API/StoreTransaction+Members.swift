import StoreLayout
public import StoreModel
import StoreCore

// Changes of to-many relationships. Each change updates both sides, Core Data's columns and join tables, and the
// persistent history, in which owners and members have changed.
extension StoreTransaction {
  /// Adds rows to a to-many relationship.
  ///
  ///     try transaction.add([assam, sencha], to: \.products, of: shelf)
  ///
  /// Existing members keep their positions. If the relationship has a to-one inverse, each new member leaves its
  /// previous owner.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship, the number of members before the rows. The default is the end.
  /// - Returns: the number of new members.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist; `invalidData` for a row that doesn't exist, and for
  ///   more members than the model allows, or fewer in a previous owner; `invalidRequest` for an invalid position.
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
  ///   - member: the row.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship, the number of members before the row. The default is the end.
  /// - Returns: false if the row is already a member.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`, `invalidRequest`.
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
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  /// - Returns: the number of removed members.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist; `invalidData` for a row that doesn't exist, for a
  ///   row that requires an owner, and for fewer members than the model allows.
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
  ///   - member: the row.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  /// - Returns: false if the row isn't a member.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>
  ) throws -> Bool {
    try remove([member], from: path, of: owner) > 0
  }

  /// Moves members of an ordered relationship to a position, in the order of `members`.
  ///
  ///     try transaction.move([last], in: \.tracks, of: album, to: 0)
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: the number of other members before them.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist; `invalidData` for a row that isn't a member;
  ///   `invalidRequest` for an unordered relationship and for an invalid position.
  public func move<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    to position: Int
  ) throws {
    _ = try edit(path.relationship, of: owner, .move(to: position), members)
  }

  /// Replaces the members of a to-many relationship. If it is ordered, the new members have the order of `members`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - members: the rows.
  /// - Returns: the number of added and removed members.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`.
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
