/// How far a batch request has come.
public struct BatchProgress: Hashable, Sendable {
  /// Rows changed or deleted, or records read, so far.
  public var rows: Int
  /// How many there will be at the end, at most; nil where nobody knows beforehand.
  public var total: Int?

  public init(rows: Int, total: Int? = nil) {
    self.rows = rows
    self.total = total
  }
}
