public import StoreModel

/// A query whose rows are read with the destinations of their relationships. `TypedQuery.including` creates it.
public struct Including<Object: StoredObject>: Sendable {
  let query: TypedQuery<Object>
  private(set) var tree: IncludedTree

  @usableFromInline
  init(_ query: TypedQuery<Object>, _ reader: RowsReader) {
    self.query = query
    tree = IncludedTree(reader)
  }

  /// Includes another relationship.
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

// One function for each number of paths. Functions with parameter packs aren't specialized, and would read rows at a
// third of the speed.
extension TypedQuery {
  /// Returns a query that reads the rows together with the destinations of a relationship.
  ///
  ///     let orders = try await store.fetch(
  ///       Order.all.where(\.isOpen == true).including(\.customer, \.lines, \.lines.product))
  ///     for order in orders {
  ///       print(order.number, try order[\.customer]?.name ?? "")
  ///       for line in try order[\.lines] { print(line.amount, try line[\.product]?.title ?? "") }
  ///     }
  ///
  /// Each relationship on a path costs one statement, regardless of the number of rows. All statements read one state
  /// of the store. A row that several other rows refer to is read once.
  ///
  /// - Parameter path: the path to a relationship. The relationships before it on the path are included too.
  @inlinable
  public func including<A: RelationshipPath>(
    _ path: KeyPath<Object.Properties, A>
  ) -> Including<Object> {
    Including(self, RowsReader(Object.self)).including(path)
  }

  /// Returns a query that reads the rows together with the destinations of two relationships.
  @inlinable
  public func including<A: RelationshipPath, B: RelationshipPath>(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>
  ) -> Including<Object> {
    including(first).including(second)
  }

  /// Returns a query that reads the rows together with the destinations of three relationships.
  @inlinable
  public func including<A: RelationshipPath, B: RelationshipPath, C: RelationshipPath>(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>,
    _ third: KeyPath<Object.Properties, C>
  ) -> Including<Object> {
    including(first, second).including(third)
  }

  /// Returns a query that reads the rows together with the destinations of four relationships. To include more, call
  /// `including` of the result.
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
