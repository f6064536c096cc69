public import StoreModel

// Changes of to-many relationships, each in its own transaction.
extension PersistentStore {
  /// Adds rows to a to-many relationship.
  ///
  ///     try await store.add([assam, sencha], to: \.products, of: shelf)
  ///
  /// Existing members keep their positions. If the relationship has a to-one inverse, each new member leaves its
  /// previous owner.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship, the number of members before the rows. The default is the end.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the number of new members.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`, `invalidRequest`, `locked`,
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil, author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .add(at: position), members, author)
  }

  /// Adds a row to a to-many relationship.
  ///
  /// - Parameters:
  ///   - member: the row.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: in an ordered relationship, the number of members before the row. The default is the end.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: false if the row is already a member.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`, `invalidRequest`, `locked`,
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    at position: Int? = nil, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await edit(path, of: owner, .add(at: position), [member], author) > 0
  }

  /// Removes rows from a to-many relationship, without deleting them.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the number of removed members.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .remove, members, author)
  }

  /// Removes a row from a to-many relationship, without deleting it.
  ///
  /// - Parameters:
  ///   - member: the row.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: false if the row isn't a member.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: StoredObject>(
    _ member: TypedObjectID<Member>,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await edit(path, of: owner, .remove, [member], author) > 0
  }

  /// Moves members of an ordered relationship to a position, in the order of `members`.
  ///
  /// - Parameters:
  ///   - members: the rows.
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - position: the number of other members before them.
  ///   - author: the author of the change in the persistent history.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData` for a row that isn't a member,
  ///   `invalidRequest`, `locked`, `inputOutput`; `CancellationError`.
  public func move<Object: StoredObject, Member: StoredObject>(
    _ members: [TypedObjectID<Member>],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: TypedObjectID<Object>,
    to position: Int, author: ChangeAuthor = .storetool
  ) async throws {
    _ = try await edit(path, of: owner, .move(to: position), members, author)
  }

  /// Replaces the members of a to-many relationship. If it is ordered, the new members have the order of `members`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row that has the relationship.
  ///   - members: the rows.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the number of added and removed members.
  /// - Throws: `StoreError`: `noObject` if the owner doesn't exist, `invalidData`, `invalidRequest`, `locked`,
  ///   `inputOutput`; `CancellationError`.
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
