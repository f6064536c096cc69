import StorePredicate

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
