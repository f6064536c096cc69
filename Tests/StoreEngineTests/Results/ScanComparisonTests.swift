import SeededRandom
import Testing

@testable import StoreCore
@testable import StoreEngine

/// Comparisons of consecutive scans of rows.
struct ScanComparisonTests {
  private static func row(_ key: Int64, _ fingerprint: UInt64 = 0, _ order: UInt64 = 0)
    -> RowScan.Row
  {
    RowScan.Row(key: key, number: 1, fingerprint: fingerprint, order: order)
  }

  private static func difference(_ old: [RowScan.Row], _ new: [RowScan.Row]) -> ScanDifference {
    var comparison = ScanComparison(RowScan(rows: old))
    for row in new { comparison.take(row) }
    return comparison.finish()
  }

  @Test func keepsOnlyWhatIsNotAsBefore() {
    let difference = Self.difference(
      [Self.row(2), Self.row(3), Self.row(5), Self.row(8)],
      [Self.row(1), Self.row(2), Self.row(5, 7), Self.row(6), Self.row(9)])
    #expect(difference.removals == [1, 3])
    #expect(difference.insertions.map(\.place) == [0, 3, 4])
    #expect(difference.insertions.map(\.element.key) == [1, 6, 9])
    #expect(difference.changes.map(\.place) == [2])
  }

  /// SQLite returns rows in the order of an index if the predicate uses one.
  @Test(arguments: [[3, 1, 2], [1, 3, 2], [2, 3, 1], [3, 2, 1]] as [[Int64]])
  func takesRowsInAnyOrder(_ keys: [Int64]) {
    let rows = (1...3).map { Self.row($0) }
    #expect(Self.difference(rows, keys.map { Self.row($0) }).isEmpty)
    let fresh = Self.difference([], keys.map { Self.row($0) })
    #expect(fresh.insertions.map(\.element.key) == [1, 2, 3])
  }

  @Test(arguments: [17])
  func makesTheNewScanOfTheOld(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<3_000 {
      let old = Self.rows(&generator)
      let new = generator.below(3) == 0 ? Self.rows(&generator) : Self.changed(old, &generator)
      let place = Comment(rawValue: "seed \(seed), round \(round)")
      let order = generator.below(2) == 0 ? new : new.shuffled(using: &generator)
      let difference = Self.difference(old, order)
      var scan = RowScan(rows: old)
      scan.apply(difference)
      #expect(scan.rows == new, place)
      let (before, after) = (Set(old.map(\.key)), Set(new.map(\.key)))
      #expect(difference.removals.count == before.subtracting(after).count, place)
      #expect(difference.insertions.count == after.subtracting(before).count, place)
      let kept = old.filter { after.contains($0.key) }.count
      #expect(difference.changes.count == kept - Set(old).intersection(new).count, place)
    }
  }

  /// Returns rows with some of the keys up to twenty.
  private static func rows(_ generator: inout SeededGenerator) -> [RowScan.Row] {
    let share = 1 + generator.below(4)
    return (1...20).compactMap { key in
      generator.below(4) < share
        ? row(key, UInt64(generator.below(3)), UInt64(generator.below(2))) : nil
    }
  }

  private static func changed(
    _ rows: [RowScan.Row], _ generator: inout SeededGenerator
  ) -> [RowScan.Row] {
    guard !rows.isEmpty else { return rows }
    var rows = rows
    rows[generator.below(rows.count)].fingerprint += 5
    if generator.below(2) == 0 { rows.remove(at: generator.below(rows.count)) }
    return rows
  }
}
