/// A value of one of SQLite's storage classes.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Returns whether two values are the same. Text is compared byte by byte, as in SQLite. An integer never equals a
  /// real.
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
  /// The text, or nil for values other than text.
  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The integer, or nil for values other than integers.
  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}

extension SQLiteValue {
  /// Returns whether the value precedes another one in SQLite's order: NULL, numbers, text by its bytes, blobs.
  package func precedes(_ other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one < two
    case (.real(let one), .real(let two)): one < two
    case (.integer(let one), .real(let two)): one.order(against: two) < 0
    case (.real(let one), .integer(let two)): two.order(against: one) > 0
    case (.text(let one), .text(let two)): one.utf8.lexicographicallyPrecedes(two.utf8)
    case (.blob(let one), .blob(let two)): one.lexicographicallyPrecedes(two)
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// The value, with a whole real as an integer, so that numbers that are equal in SQLite are the same value.
  package var normalised: SQLiteValue {
    guard case .real(let number) = self, let whole = Int64(exactly: number) else { return self }
    return .integer(whole)
  }
}

extension Int64 {
  /// Returns −1, 0 or 1 if the integer is less than, equal to or greater than `real`. The integer isn't converted to a
  /// Double, because neighboring large integers would become the same Double.
  func order(against real: Double) -> Int {
    let floor = real.rounded(.down)
    guard let whole = Int64(exactly: floor) else { return real > 0 ? -1 : 1 }
    if self != whole { return self < whole ? -1 : 1 }
    return real > floor ? -1 : 0
  }
}
