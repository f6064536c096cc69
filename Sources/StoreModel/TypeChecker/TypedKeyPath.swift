public import StorePredicate

/// A key path, and the type of what it leads to.
public struct TypedKeyPath: Hashable, Sendable {
  public var keyPath: FormatExpression
  public var type: ValueType
}

extension TypedPredicate {
  /// The key paths, each once, in the order of their first mention.
  var keyPaths: [TypedKeyPath] { expressions.keyPathNodes.map(\.typedKeyPath) }
}

extension TypedExpression {
  /// The key paths in it, each once, in the order of their first mention.
  package var keyPathNodes: [TypedExpression] { [self].keyPathNodes }

  fileprivate var typedKeyPath: TypedKeyPath { TypedKeyPath(keyPath: expression, type: type) }

  /// A key path stands behind those that it begins with.
  fileprivate func gatherKeyPaths(into found: inout [TypedExpression]) {
    for part in parts { part.gatherKeyPaths(into: &found) }
    if path != nil { found.append(self) }
  }
}

extension [TypedExpression] {
  fileprivate var keyPathNodes: [TypedExpression] {
    var found: [TypedExpression] = []
    for expression in self { expression.gatherKeyPaths(into: &found) }
    var seen: Set<TypedExpression> = []
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
      .filter { seen.insert($0).inserted }
  }
}
