/// What median:, mode: and stddev: say about numbers.
package struct Statistics {
  private let sorted: [Number]

  package init(_ numbers: [Number]) {
    sorted = numbers.sorted { ($0.order($1) ?? 0) < 0 }
  }

  /// The middle one, or the mean of the two in the middle; nil of none.
  package var median: Number? {
    guard let first = middle.first, let last = middle.last else { return nil }
    return middle.count == 1 ? first : .real(first.real / 2 + last.real / 2)
  }

  /// The number in the middle, or the two where their count is even; none of none.
  package var middle: ArraySlice<Number> {
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? sorted[max(half - 1, 0)..<min(half + 1, sorted.count)] : sorted[half...half]
  }

  /// The numbers that are there most often, from the lowest up.
  var modes: [Number] {
    var runs: [(number: Number, count: Int)] = []
    for number in sorted {
      if let last = runs.last, last.number.order(number) == 0 {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((number, 1))
      }
    }
    let most = runs.map(\.count).max()
    return runs.filter { $0.count == most }.map(\.number)
  }

  /// Of the numbers as the whole population; nil of none.
  package var standardDeviation: Number? {
    guard !sorted.isEmpty else { return nil }
    let count = Double(sorted.count)
    let mean = sorted.reduce(0) { $0 + $1.real } / count
    let variance = sorted.reduce(0) { $0 + ($1.real - mean) * ($1.real - mean) } / count
    return .real(variance.squareRoot())
  }
}
