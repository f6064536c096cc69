/// A value of one of SQLite's storage classes.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Whether both are the same value. Texts are compared byte by byte, as SQLite does.
  package static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one == other && one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): false
    }
  }
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
