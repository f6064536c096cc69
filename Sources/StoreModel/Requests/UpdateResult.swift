/// What a batch update has done.
public struct UpdateResult: Hashable, Sendable {
  /// Rows that match the predicate.
  public var matched: Int
  /// Rows that held other values, and were rewritten.
  public var changed: Int
  /// By property: in how many rows a computed value replaced a value by NULL, because of a division by
  /// zero, a NULL operand or a function that has no result. Properties without such rows are left out.
  public var becameNull: [String: Int]

  public init(matched: Int, changed: Int, becameNull: [String: Int] = [:]) {
    self.matched = matched
    self.changed = changed
    self.becameNull = becameNull
  }
}
