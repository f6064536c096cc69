/// The primary keys of the new rows of one entity, or of consecutive existing rows. Each key is computed
/// from its index, so that relationships can be planned without a list of all keys in memory.
struct KeyRun: Hashable, Sendable {
  let entity: Int64
  let first: Int64
  let count: Int
  /// One key is skipped after this number of rows each, as if its row had been deleted. Nil if no key is skipped.
  var gap: Int?

  func key(at index: Int) -> Int64 {
    first + Int64(index) + (gap.map { Int64(index / $0) } ?? 0)
  }

  var last: Int64 { count == 0 ? first - 1 : key(at: count - 1) }
}

/// The rows on one side of a relationship, numbered from 0.
struct SeedMembers: Hashable, Sendable {
  private let runs: [KeyRun]
  /// The number of the first row of each run.
  private let starts: [Int]
  let count: Int

  init(_ runs: [KeyRun]) {
    self.runs = runs
    var starts: [Int] = []
    var count = 0
    for run in runs {
      starts.append(count)
      count += run.count
    }
    (self.starts, self.count) = (starts, count)
  }

  subscript(index: Int) -> (entity: Int64, key: Int64) {
    var (low, high) = (0, runs.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return (runs[low].entity, runs[low].key(at: index - starts[low]))
  }

  /// Returns the number of an entity's first row.
  func start(of entity: Int64) -> Int? {
    runs.firstIndex { $0.entity == entity }.map { starts[$0] }
  }
}

/// A permutation of the numbers below a count, which is computed instead of stored.
struct Shuffle: Hashable, Sendable {
  let count: Int
  private let factor: Int
  private let offset: Int

  init(_ count: Int, _ random: inout SeedRandom) {
    self.count = count
    guard count > 2 else {
      (factor, offset) = (1, 0)
      return
    }
    // Modulo `count`, multiplication by a coprime factor is a permutation. The factor is limited to avoid overflow.
    let limit = min(count, 1 << 30)
    var factor = limit / 2 + random.below(limit / 2)
    while Self.divisor(factor, count) != 1 { factor = factor > 1 ? factor - 1 : 1 }
    (self.factor, offset) = (factor, random.below(count))
  }

  subscript(index: Int) -> Int {
    count < 2 ? 0 : (index % count * factor + offset) % count
  }

  private static func divisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : divisor(other, one % other)
  }
}
