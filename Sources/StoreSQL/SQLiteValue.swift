/// A value of one of SQLite's storage classes.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLiteValue {
  /// Nil for what is not text.
  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// Nil for what is not an integer.
  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
