public import StoreModel

/// A query whose rows are read with what stands at the other end of their relationships: `TypedQuery.including`
/// makes it.
public struct Including<Object: StoredObject>: Sendable {
  let query: TypedQuery<Object>
  private(set) var tree: IncludedTree

  @usableFromInline
  init(_ query: TypedQuery<Object>, _ reader: RowsReader) {
    self.query = query
    tree = IncludedTree(reader)
  }

  /// Reads more along.
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

// One function for each number of paths: code that is generic over any number of types is not compiled for each of
// them, and would read rows at a third of the speed.
extension TypedQuery {
  /// Reads what stands at the other end of relationships together with the rows.
  ///
  ///     let orders = try await store.fetch(
  ///       Order.all.where(\.isOpen == true).including(\.customer, \.lines, \.lines.product))
  ///     for order in orders {
  ///       print(order.number, try order[\.customer]?.name ?? "")
  ///       for line in try order[\.lines] { print(line.amount, try line[\.product]?.title ?? "") }
  ///     }
  ///
  /// However many rows there are, each relationship on the paths costs one statement, and all of them see one
  /// state of the store. A row that several others lead to is read once.
  ///
  /// - Parameter path: what is on the way to its end is read along, too.
  @inlinable
  public func including<A: RelationshipPath>(
    _ path: KeyPath<Object.Properties, A>
  ) -> Including<Object> {
    Including(self, RowsReader(Object.self)).including(path)
  }

  /// Reads what stands at the other end of two relationships together with the rows.
  @inlinable
  public func including<A: RelationshipPath, B: RelationshipPath>(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>
  ) -> Including<Object> {
    including(first).including(second)
  }

  /// Reads what stands at the other end of three relationships together with the rows.
  @inlinable
  public func including<A: RelationshipPath, B: RelationshipPath, C: RelationshipPath>(
    _ first: KeyPath<Object.Properties, A>, _ second: KeyPath<Object.Properties, B>,
    _ third: KeyPath<Object.Properties, C>
  ) -> Including<Object> {
    including(first, second).including(third)
  }

  /// Reads what stands at the other end of four relationships together with the rows; `including` of the
  /// result adds more.
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
