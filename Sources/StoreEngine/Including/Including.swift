public import StoreModel

/// A query whose rows are read with the destination rows of relationships. `TypedQuery.including` creates it.
public struct Including<Object: StoredObject>: Sendable {
  let query: TypedQuery<Object>
  private(set) var tree: IncludedTree

  @usableFromInline
  init(_ query: TypedQuery<Object>, _ reader: RowsReader) {
    self.query = query
    tree = IncludedTree(reader: reader)
  }

  /// Includes another relationship.
  ///
  /// - Parameter path: the relationship, or a path of relationships. All of them are included.
  /// - Returns: the extended query.
  @inlinable
  public func including<A: RelationshipPath>(_ path: KeyPath<Object.Properties, A>) -> Self {
    adding(path, RowsReader(A.Destination.self))
  }

  @usableFromInline
  func adding<A: RelationshipPath>(
    _ path: KeyPath<Object.Properties, A>, _ reader: RowsReader
  ) -> Self {
    var copy = self
    copy.tree.include(path.relationship.steps[...], path, reader)
    return copy
  }
}

// There is one function for each number of paths. Code that is generic over a parameter pack isn't specialized and
// would read rows at a third of the speed.
extension TypedQuery {
  /// Includes the destination rows of relationships.
  ///
  ///     let orders = try await store.fetch(
  ///       Order.all.where(\.isOpen == true).including(\.customer, \.lines, \.lines.product))
  ///     for order in orders {
  ///       print(order.number, try order[\.customer]?.name ?? "")
  ///       for line in try order[\.lines] { print(line.amount, try line[\.product]?.title ?? "") }
  ///     }
  ///
  /// Each relationship of the paths takes one statement, regardless of the number of rows. All statements read the same
  /// state of the store. A row to which several rows refer in one relationship is read once.
  ///
  /// - Parameter path: a relationship, or a path of relationships. All of them are included.
  /// - Returns: the query with the included relationships.
  @inlinable
  public func including<A: RelationshipPath>(
    _ path: KeyPath<Object.Properties, A>
  ) -> Including<Object> {
    Including(self, RowsReader(Object.self)).including(path)
  }

  /// Includes the destination rows of two paths of relationships.
  ///
  /// - Parameters:
  ///   - first: the first path.
  ///   - second: the second path.
  /// - Returns: the query with the included relationships.
  @inlinable
  public func including<A: RelationshipPath, B: RelationshipPath>(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>
  ) -> Including<Object> {
    including(first).including(second)
  }

  /// Includes the destination rows of three paths of relationships.
  ///
  /// - Parameters:
  ///   - first: the first path.
  ///   - second: the second path.
  ///   - third: the third path.
  /// - Returns: the query with the included relationships.
  @inlinable
  public func including<A: RelationshipPath, B: RelationshipPath, C: RelationshipPath>(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>,
    _ third: KeyPath<Object.Properties, C>
  ) -> Including<Object> {
    including(first, second).including(third)
  }

  /// Includes the destination rows of four paths of relationships. Call `including` on the result to add more.
  ///
  /// - Parameters:
  ///   - first: the first path.
  ///   - second: the second path.
  ///   - third: the third path.
  ///   - fourth: the fourth path.
  /// - Returns: the query with the included relationships.
  @inlinable
  public func including<
    A: RelationshipPath, B: RelationshipPath, C: RelationshipPath, D: RelationshipPath
  >(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>,
    _ third: KeyPath<Object.Properties, C>, _ fourth: KeyPath<Object.Properties, D>
  ) -> Including<Object> {
    including(first, second, third).including(fourth)
  }
}
