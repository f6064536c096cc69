public import StoreModel

// Changes of to-many relationships. Each function runs its own transaction.
extension PersistentStore {
  /// Adds rows to a to-many relationship.
  ///
  ///     try await store.add([assam, sencha], to: \.products, of: shelf)
  ///
  /// Rows that are already members keep their positions. If the inverse relationship is to-one, the added rows leave
  /// their previous owner.
  ///
  /// - Parameters:
  ///   - members: the rows, or their IDs, to add.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - position: the position of the first new member in an ordered relationship. The default is the end.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the number of added rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to add
  ///   doesn't exist or a relationship would have too many or too few members, `invalidRequest` if there is a position
  ///   and the relationship isn't ordered or the position doesn't exist, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: ObjectReference>(
    _ members: [Member],
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>,
    at position: Int? = nil, author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .add(at: position), members, author)
  }

  /// Adds a row to a to-many relationship.
  ///
  /// - Parameters:
  ///   - member: the row, or its ID, to add.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - position: the position of the new member in an ordered relationship. The default is the end.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: `false` if the row is already a member.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to add
  ///   doesn't exist or a relationship would have too many or too few members, `invalidRequest` if there is a position
  ///   and the relationship isn't ordered or the position doesn't exist, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func add<Object: StoredObject, Member: ObjectReference>(
    _ member: Member,
    to path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>,
    at position: Int? = nil, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await edit(path, of: owner, .add(at: position), [member], author) > 0
  }

  /// Removes rows from a to-many relationship, without deleting them.
  ///
  /// - Parameters:
  ///   - members: the rows, or their IDs, to remove.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the number of removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to remove
  ///   doesn't exist or requires an owner or a relationship would have too few members, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: ObjectReference>(
    _ members: [Member],
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .remove, members, author)
  }

  /// Removes a row from a to-many relationship, without deleting it.
  ///
  /// - Parameters:
  ///   - member: the row, or its ID, to remove.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: `false` if the row isn't a member.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row to remove
  ///   doesn't exist or requires an owner or a relationship would have too few members, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject, Member: ObjectReference>(
    _ member: Member,
    from path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await edit(path, of: owner, .remove, [member], author) > 0
  }

  /// Moves members of an ordered relationship to a position. Afterwards, they are next to each other, in the order of
  /// `members`.
  ///
  /// - Parameters:
  ///   - members: the rows, or their IDs, to move.
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - position: the number of other members that precede the moved rows.
  ///   - author: the author of the change in the persistent history.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a row isn't a
  ///   member, `invalidRequest` if the relationship isn't ordered or the position doesn't exist, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func move<Object: StoredObject, Member: ObjectReference>(
    _ members: [Member],
    in path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>,
    to position: Int, author: ChangeAuthor = .storetool
  ) async throws {
    _ = try await edit(path, of: owner, .move(to: position), members, author)
  }

  /// Replaces all members of a to-many relationship. An ordered relationship uses the order of `members`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - members: the new members or their IDs.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the total number of added and removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a new member
  ///   doesn't exist, a removed member requires an owner, or a relationship would have too many or too few members,
  ///   `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func setMembers<Object: StoredObject, Member: ObjectReference>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>, to members: [Member], author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .replace, members, author)
  }

  /// Replaces all members of a to-many relationship by their IDs, for example by none: `to: []`.
  ///
  /// - Parameters:
  ///   - path: the relationship.
  ///   - owner: the row, or its ID, that has the relationship.
  ///   - members: the IDs of the new members.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the total number of added and removed rows.
  /// - Throws: `StoreError` with the reason `noObject` if the owner doesn't exist, `invalidData` if a new member
  ///   doesn't exist, a removed member requires an owner, or a relationship would have too many or too few members,
  ///   `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func setMembers<Object: StoredObject, Member: StoredObject>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member>>,
    of owner: some ObjectReference<Object>, to members: [TypedObjectID<Member>],
    author: ChangeAuthor = .storetool
  ) async throws -> Int {
    try await edit(path, of: owner, .replace, members, author)
  }

  private func edit<Object: StoredObject, Member: ObjectReference>(
    _ path: KeyPath<Object.Properties, ToManyPath<Object, Member.Object>>,
    of owner: some ObjectReference<Object>, _ kind: MemberEdit.Kind, _ members: [Member],
    _ author: ChangeAuthor
  ) async throws -> Int {
    let relationship = path.relationship
    return try await transaction(author: author) {
      try $0.edit(relationship, of: owner, kind, members)
    }
  }
}
