/// The widths of a table's columns on a terminal.
struct ColumnWidths: Equatable {
  /// The required widths of a column.
  struct Demand {
    enum Kind { case text, fixed, number }

    var kind: Kind
    /// The width of the column's name; 0 if names aren't shown.
    var header: Int
    /// The width of the widest value.
    var value: Int
    /// The minimum width to which values can be cut; nil if only the name can be cut.
    var leastValue: Int?

    fileprivate var natural: Int { max(header, value, 1) }

    /// The minimum width of the column.
    fileprivate var least: Int {
      min(natural, max(min(value, leastValue ?? value), ColumnWidths.leastName))
    }
  }

  /// The widths of the columns that are shown, which are the first ones.
  private(set) var widths: [Int]
  /// Whether the last columns are omitted. A single `…` replaces them.
  let leavesOut: Bool

  /// The space between two columns.
  static let gap = 2
  private static let leastName = 6

  /// A step of narrowing columns. Its `Int` is the width below which the step doesn't narrow a column.
  private enum Round {
    /// Narrows the columns of a kind.
    case values(Demand.Kind, Int)
    /// Narrows the columns whose names are wider than their values.
    case names(Int)

    func floor(of demand: Demand) -> Int? {
      switch self {
      case .values(let kind, let cells): demand.kind == kind ? cells : nil
      case .names(let cells): max(demand.value, cells)
      }
    }
  }

  /// The steps in their order. Long texts are cut first, and numbers are never cut.
  private static let rounds: [Round] = [
    .values(.text, 16), .names(8), .values(.fixed, 11), .values(.text, 0), .values(.fixed, 0),
    .names(0),
  ]

  init(_ demands: [Demand], within width: Int) {
    let shown = Self.shownCount(demands, within: width)
    leavesOut = shown < demands.count
    let shownDemands = demands.prefix(shown)
    let mark = leavesOut ? 1 + Self.gap : 0
    widths = shownDemands.map { min($0.natural, width) }
    for round in Self.rounds {
      let excess = widths.reduce(0, +) + Self.gap * (shown - 1) + mark - width
      guard excess > 0 else { break }
      let floors = shownDemands.map { demand in
        round.floor(of: demand).map { min(demand.natural, max($0, demand.least)) } ?? .max
      }
      shrink(by: excess, to: floors)
    }
  }

  /// Returns the number of columns that fit with their minimum widths, but at least 1 if there are columns.
  private static func shownCount(_ demands: [Demand], within width: Int) -> Int {
    var used = -gap
    var fitting = 0
    for (index, demand) in demands.enumerated() {
      used += gap + demand.least
      let mark = index < demands.count - 1 ? gap + 1 : 0
      guard used <= width else { break }
      if used + mark <= width { fitting = index + 1 }
    }
    return max(fitting, min(1, demands.count))
  }

  /// Narrows the widest columns by `excess` cells in total, but no column below its width in `floors`.
  private mutating func shrink(by excess: Int, to floors: [Int]) {
    for _ in 0..<excess {
      let candidates = widths.indices.filter { widths[$0] > floors[$0] }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }
}
