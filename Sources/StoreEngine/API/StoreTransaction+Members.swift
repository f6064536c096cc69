import StoreLayout
public import StoreModel
import StoreCore

// Changes of to-many relationships. Each keeps both sides right, the columns and join tables that Core Data has for them,
// and the persistent history, in which owners and members have changed.
extension StoreTransaction {
  /// Makes rows members of a to-many relationship.
  ///
  ///     try transaction.add([assam, sencha], to: \.products, of: shelf)
  ///
  /// Rows that are members already stay where they are. Where the relationship has a to-one inverse, the others leave the
  /// row whose members they were.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship how many members stand before them; nil for all.
  /// - Returns: how many have become members.
  /// - Throws: `StoreError`: `noObject` when the owner is not there; `invalidData` for a row that is not there, and for
  ///   more members than the model allows, or fewer where they come from; `invalidRequest` for a position that there is
  ///   not.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil
  ) throws -> Int {
    try edit(path.relationship, of: owner, .add(at: position), members)
  }

  /// Makes a row a member of a to-many relationship.
  ///
  /// - Returns: false when it is one already.
  /// - Throws: as for several rows.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil
  ) throws -> Bool {
    try add([member], to: path, of: owner, at: position) > 0
  }

  /// Takes rows out of a to-many relationship. They stay in the store.
  ///
  /// - Returns: how many were members.
  /// - Throws: `StoreError`: `noObject` when the owner is not there; `invalidData` for a row that is not there, for one
  ///   that needs an owner, and for fewer members than the model allows.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>
  ) throws -> Int {
    try edit(path.relationship, of: owner, .remove, members)
  }

  /// Takes a row out of a to-many relationship. It stays in the store.
  ///
  /// - Returns: false when it is no member.
  /// - Throws: as for several rows.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>
  ) throws -> Bool {
    try remove([member], from: path, of: owner) > 0
  }

  /// Puts members of an ordered relationship behind each other at a position.
  ///
  ///     try transaction.move([last], in: \.tracks, of: album, to: 0)
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: how many of the other members stand before them.
  /// - Throws: `StoreError`: `noObject` when the owner is not there; `invalidData` for a row that is no member;
  ///   `invalidRequest` for a relationship without order and for a position that there is not.
  public func move<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    to position: Int
  ) throws {
    _ = try edit(path.relationship, of: owner, .move(to: position), members)
  }

  /// Makes rows the members of a to-many relationship, in their order where it has one; all others are none any more.
  ///
  /// - Returns: how many have become members, or are none any more.
  /// - Throws: as `add` and `remove`.
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
