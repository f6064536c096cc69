/// How wide the columns of a table become on a terminal.
struct ColumnWidths: Equatable {
  /// What a column would take.
  struct Demand {
    enum Kind { case text, fixed, number }

    var kind: Kind
    /// The cells of its name; 0 where no names are shown.
    var header: Int
    /// The cells of its widest value.
    var value: Int
    /// The least that its values are cut to; nil cuts none, only the name above them.
    var leastValue: Int?

    fileprivate var natural: Int { max(header, value, 1) }

    /// The least that the column is shown with.
    fileprivate var least: Int {
      min(natural, max(min(value, leastValue ?? value), ColumnWidths.leastName))
    }
  }

  /// Of the columns that are shown, which are the first ones.
  private(set) var widths: [Int]
  /// Columns behind them are not shown; a mark stands in their place.
  let leavesOut: Bool

  /// Between two columns.
  static let gap = 2
  private static let leastName = 6

  /// What becomes how narrow, in this order.
  private enum Round {
    case values(Demand.Kind, Int)
    /// Where they are longer than the values below.
    case names(Int)

    func floor(of demand: Demand) -> Int? {
      switch self {
      case .values(let kind, let cells): demand.kind == kind ? cells : nil
      case .names(let cells): max(demand.value, cells)
      }
    }
  }

  /// Long texts first, numbers never.
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

  /// As many as can be shown with their least widths, and one at least.
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

  /// Takes cells away where there are most of them.
  private mutating func shrink(by excess: Int, to floors: [Int]) {
    for _ in 0..<excess {
      let candidates = widths.indices.filter { widths[$0] > floors[$0] }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }
}
