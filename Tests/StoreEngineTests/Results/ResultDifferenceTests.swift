import SeededRandom
import StoreEngine
import Testing

struct ResultDifferenceTests {
  /// Parses sections from lines such as `1: 10/0 11/2`: the section's name, and key and value of each row.
  private static func list(_ text: String) -> ShownList {
    ShownList(
      sections: text.split(separator: "\n").map { line in
        let parts = line.split(separator: ":")
        let rows = (parts.count > 1 ? parts[1] : "").split(separator: " ").map { row in
          let numbers = row.split(separator: "/")
          return ShownList.Row(
            key: Int64(numbers[0]) ?? 0, text: numbers.count > 1 ? UInt64(numbers[1]) ?? 0 : 0)
        }
        return ShownList.Section(name: Int64(parts[0]) ?? 0, rows: rows)
      })
  }

  /// Returns one change per line, with the terms of the delegate of Core Data's controller.
  private static func changes(_ old: String, _ new: String) -> String {
    let difference = ResultDifference(from: list(old).rows, to: list(new).rows)
    let lines =
      difference.deletedSections.map { "delete section \($0)" }
      + difference.insertedSections.map { "insert section \($0)" }
      + difference.deletions.map { "delete \($0)" } + difference.insertions.map { "insert \($0)" }
      + difference.moves.map { "move \($0.from) to \($0.to)\($0.isUpdated ? ", updated" : "")" }
      + difference.updates.map { "update \($0.from), now \($0.to)" }
    return lines.joined(separator: "\n")
  }

  @Test func reportsWhatADelegateIsTold() {
    #expect(Self.changes("0: 1 2 3", "0: 1 2 3") == "")
    #expect(Self.changes("0:", "0: 1") == "insert 0.0")
    #expect(Self.changes("0: 1 2 3", "0: 1 3") == "delete 0.1")
    #expect(Self.changes("0: 1 2 3", "0: 1 9 2/1 3") == "insert 0.1\nupdate 0.1, now 0.2")
  }

  /// The other rows close the gap without moves, as in Core Data.
  @Test func movesOneRowRatherThanAllBetween() {
    #expect(Self.changes("0: 1 2 3 4 5", "0: 2 3 4 5 1") == "move 0.0 to 0.4")
    #expect(Self.changes("0: 1 2 3 4 5", "0: 5/7 1 2 3 4") == "move 0.4 to 0.0, updated")
    #expect(Self.changes("0: 1 2\n1: 3 4", "0: 1\n1: 3 2 4") == "move 0.1 to 1.1")
  }

  @Test func movesNothingOutOfADeletedSectionOrIntoAnInsertedOne() {
    #expect(
      Self.changes("0: 1 2\n1: 3", "0: 1 2 3")
        == "delete section 1\ndelete 1.0\ninsert 0.2")
    #expect(
      Self.changes("1: 1 2", "0: 2\n1: 1") == "insert section 0\ndelete 0.1\ninsert 0.0")
    #expect(
      Self.changes("0: 1", "1: 1")
        == "delete section 0\ninsert section 0\ndelete 0.0\ninsert 0.0")
  }

  @Test(arguments: [UInt64(6)])
  func randomChangeSetsMakeTheNewListOfTheOld(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<5_000 {
      let keys = 1 + generator.below(14)
      let sections = 1 + generator.below(4)
      let old = generator.list(keys: keys, sections: sections)
      let new =
        generator.below(2) == 0
        ? generator.list(keys: keys, sections: sections)
        : generator.change(old, keys: keys, sections: sections)
      let difference = ResultDifference(from: old.rows, to: new.rows)
      let place = "seed \(seed), round \(round):\n\(old)\n→\n\(new)"
      #expect(
        BatchUpdateReplay(old, difference, asking: new).list == new, Comment(rawValue: place))
      #expect(difference.refusals(from: old, to: new) == [], Comment(rawValue: place))
      #expect(
        difference.moves.count == Self.fewestMoves(old, new, difference),
        Comment(rawValue: place))
    }
  }

  /// Changes between two positions of a long list.
  @Test(arguments: [UInt64(7)])
  func findsFewChangesInLongLists(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let rows = (1...2_000).map { ShownList.Row(key: Int64($0), text: 0) }
      let old = ShownList(sections: [
        .init(name: 0, rows: Array(rows[..<700])), .init(name: 1, rows: Array(rows[700...])),
      ])
      let new = generator.change(old, keys: 2_000, sections: 2)
      let difference = ResultDifference(from: old.rows, to: new.rows)
      #expect(BatchUpdateReplay(old, difference, asking: new).list == new, "seed \(seed)")
      #expect(difference.count <= 12, "seed \(seed)")
    }
  }

  /// The lists of one request never exchange sections, but the changes would be right if they did.
  @Test func sectionsThatChangePlacesAreDeletedAndInserted() {
    let old = Self.list("1: 1 2\n2: 3\n3: 4")
    let new = Self.list("3: 4\n1: 1\n2: 3 2")
    let difference = ResultDifference(from: old.rows, to: new.rows)
    #expect(BatchUpdateReplay(old, difference, asking: new).list == new)
    #expect(difference.refusals(from: old, to: new) == [])
  }

  @Test func findsTheLongestIncreasingRun() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let numbers = (0..<generator.below(12)).shuffled(using: &generator)
      let old = Self.section(numbers.sorted())
      let new = Self.section(numbers)
      let moved = ResultDifference(from: old.rows, to: new.rows).moves.count
      #expect(numbers.count - moved == Self.longestRun(numbers), "\(numbers)")
    }
  }

  private static func section(_ numbers: [Int]) -> ShownList {
    ShownList(sections: [
      .init(name: 0, rows: numbers.map { ShownList.Row(key: Int64($0) + 1, text: 0) })
    ])
  }

  /// Returns the minimum number of moved rows. Rows that are in both lists, outside of deleted and inserted sections,
  /// move unless they stay in their section and keep their order. Found by trying instead of sorting.
  private static func fewestMoves(
    _ old: ShownList, _ new: ShownList, _ difference: ResultDifference
  ) -> Int {
    let before = Dictionary(
      uniqueKeysWithValues: old.sections.enumerated().filter {
        !difference.deletedSections.contains($0.offset)
      }.map { ($0.element.name, $0.element.rows.map(\.key)) })
    let known = Set(before.values.flatMap(\.self))
    var moves = 0
    for (index, section) in new.sections.enumerated()
    where !difference.insertedSections.contains(index) {
      let here = before[section.name] ?? []
      let shared = section.rows.map(\.key).filter(known.contains)
      moves += shared.count - longestRun(shared.compactMap { here.firstIndex(of: $0) })
    }
    return moves
  }

  /// Returns the longest increasing run by comparing all runs that end at each number.
  private static func longestRun(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (place, number) in numbers.enumerated() {
      let before = zip(numbers[..<place], lengths).filter { $0.0 < number }.map(\.1).max() ?? 0
      lengths.append(before + 1)
    }
    return lengths.max() ?? 0
  }
}
