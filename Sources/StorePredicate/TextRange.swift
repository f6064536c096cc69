/// The UTF-8 offsets of a piece of predicate text.
///
/// Positions ride along in the tree, outside of `==`: any two ranges compare equal, so that trees
/// compare by meaning and the compiler can still synthesise `Hashable`.
public struct TextRange: Sendable {
  public var lowerBound: Int
  public var upperBound: Int

  /// For nodes that were built by code, not parsed.
  public static let none = TextRange(0..<0)

  public init(_ range: Range<Int>) {
    lowerBound = range.lowerBound
    upperBound = range.upperBound
  }

  public var range: Range<Int> { lowerBound..<max(lowerBound, upperBound) }
}

extension TextRange: Hashable {
  public static func == (_: TextRange, _: TextRange) -> Bool { true }
  public func hash(into _: inout Hasher) {}
}
