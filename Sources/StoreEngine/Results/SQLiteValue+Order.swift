import SQLiteAccess

extension SQLiteValue {
  /// Whether it comes before another, as SQLite sorts: NULL, numbers, text by its bytes, then bytes.
  func precedes(_ other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one < two
    case (.real(let one), .real(let two)): one < two
    case (.integer(let one), .real(let two)): Self.compare(one, two) < 0
    case (.real(let one), .integer(let two)): Self.compare(two, one) > 0
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

  /// Below, at or above 0, as the integer is less than, equal to or more than the other number.
  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    let floor = real.rounded(.down)
    guard let whole = Int64(exactly: floor) else { return real > 0 ? -1 : 1 }
    if integer != whole { return integer < whole ? -1 : 1 }
    return real > floor ? -1 : 0
  }

  /// The same for numbers that are equal.
  var normalised: SQLiteValue {
    guard case .real(let number) = self, let whole = Int64(exactly: number) else { return self }
    return .integer(whole)
  }
}
