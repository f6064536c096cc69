public import StoreModel

// Changes of to-many relationships, each in a transaction of its own.
extension PersistentStore {
  /// Makes rows members of a to-many relationship.
  ///
  ///     try await store.add([assam, sencha], to: \.products, of: shelf)
  ///
  /// Rows that are members already stay where they are. Where the relationship has a to-one inverse, the others leave the
  /// row whose members they were.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship how many members stand before them; nil for all.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: how many have become members.
  /// - Throws: as `StoreTransaction.add`; `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil, author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .add(at: position), members, author)
  }

  /// Makes a row a member of a to-many relationship.
  ///
  /// - Parameters:
  ///   - member: the row.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship, how many members come before the row. The default is the end.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: false when it is one already.
  /// - Throws: as for several rows.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await edit(path, of: owner, .add(at: position), [member], author) > 0
  }

  /// Takes rows out of a to-many relationship. They stay in the store.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: how many were members.
  /// - Throws: as `StoreTransaction.remove`; `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .remove, members, author)
  }

  /// Takes a row out of a to-many relationship. It stays in the store.
  ///
  /// - Parameters:
  ///   - member: the row.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: false when it is no member.
  /// - Throws: as for several rows.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await edit(path, of: owner, .remove, [member], author) > 0
  }

  /// Puts members of an ordered relationship behind each other at a position.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: how many of the other members stand before them.
  ///   - author: who makes the change, for the persistent history.
  /// - Throws: as `StoreTransaction.move`; `CancellationError`.
  public func move<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    to position: Int, author: ChangeAuthor = .storetool
  ) async throws {
    _ = try await edit(path, of: owner, .move(to: position), members, author)
  }

  /// Makes rows the members of a to-many relationship, in their order where it has one; all others are none any more.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - members: the rows.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: how many have become members, or are none any more.
  /// - Throws: as `add` and `remove`.
  @discardableResult
  public func setMembers<Object: StoredObject, Member: StoredObject>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member>>, of owner: TypedObjectID<Object>,
    to members: [TypedObjectID<Member>], author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .replace, members, author)
  }

  private func edit<Object: StoredObject, Member: StoredObject>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>, _ kind: MemberEdit.Kind, _ members: [TypedObjectID<Member>],
    _ author: ChangeAuthor
  ) async throws -> Int {
    let relationship = path.relationship
    return try await transaction(author: author) {
      try $0.edit(relationship, of: owner, kind, members)
    }
  }
}
