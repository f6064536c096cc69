/// Compares two states of a list. It first skips equal rows at both ends, so a single change in a long list is found
/// quickly.
struct ListComparison {
  private(set) var difference = ResultDifference()
  private let old: SectionedRows
  private let new: SectionedRows
  /// The index of each old section in the new list. It is `gone` for a deleted section.
  private let successors: [Int]
  /// Whether each section of the new list is inserted.
  private let isInserted: [Bool]

  private static let gone = -1

  init(_ old: SectionedRows, _ new: SectionedRows) {
    self.old = old
    self.new = new
    successors = Self.successors(old.sections, new.sections)
    var isInserted = [Bool](repeating: true, count: new.sections.count)
    for successor in successors where successor != Self.gone { isInserted[successor] = false }
    self.isInserted = isInserted
    difference.deletedSections = successors.indices.filter { successors[$0] == Self.gone }
    difference.insertedSections = isInserted.indices.filter { isInserted[$0] }
  }

  /// Returns the index of each old section in the new list. Sections are identified by their values.
  ///
  /// Sections don't move, because they are sorted by their values. In lists of different requests, sections that don't
  /// fit the common order are deleted and inserted.
  private static func successors(
    _ old: [SectionedRows.Section], _ new: [SectionedRows.Section]
  ) -> [Int] {
    if old.count == new.count, zip(old, new).allSatisfy({ $0.value == $1.value }) {
      return Array(old.indices)
    }
    let places = Dictionary(uniqueKeysWithValues: zip(new.map(\.value), new.indices))
    var successors = old.map { places[$0.value] ?? gone }
    let common = successors.indices.filter { successors[$0] != gone }
    let run = increasingRun(common.map { successors[$0] })
    let staying = Set(run.map { common[$0] })
    for index in common where !staying.contains(index) { successors[index] = gone }
    return successors
  }

  // MARK: Rows

  mutating func compareRows() {
    let oldHomes = homes(of: old) { successors[$0] }
    let newHomes = homes(of: new) { isInserted[$0] ? Self.gone : $0 }
    func isAlike(_ here: Int, _ there: Int) -> Bool {
      old.keys[here] == new.keys[there] && oldHomes[here] == newHomes[there]
        && oldHomes[here] != Self.gone
    }
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, isAlike(head, head) { head += 1 }
    var tail = 0
    while tail < shorter - head, isAlike(old.count - 1 - tail, new.count - 1 - tail) { tail += 1 }

    updates(of: 0..<head, shiftedBy: 0)
    compareMiddle(
      old: head..<(old.count - tail), new: head..<(new.count - tail), oldHomes, newHomes)
    updates(of: (old.count - tail)..<old.count, shiftedBy: new.count - old.count)
  }

  /// Returns for each row the index of its section in the new list, or `gone`.
  private func homes(of rows: SectionedRows, _ home: (Int) -> Int) -> [Int] {
    var homes: [Int] = []
    homes.reserveCapacity(rows.count)
    for (index, section) in rows.sections.enumerated() {
      homes.append(contentsOf: repeatElement(home(index), count: section.rows.count))
    }
    return homes
  }

  /// Adds updates for the rows with changed values in a range of rows that don't move.
  private mutating func updates(of range: Range<Int>, shiftedBy shift: Int) {
    for place in range where old.fingerprints[place] != new.fingerprints[place + shift] {
      addUpdate(place, place + shift)
    }
  }

  private mutating func addUpdate(_ from: Int, _ to: Int) {
    difference.updates.append(.init(from: old.indexPath(at: from), to: new.indexPath(at: to)))
  }

  /// Compares the rows between the equal ends. The rows whose old positions form a longest increasing sequence don't
  /// move. One sequence over all rows is also the longest in each section, because sections keep their order.
  private mutating func compareMiddle(
    old oldRange: Range<Int>, new newRange: Range<Int>, _ oldHomes: [Int], _ newHomes: [Int]
  ) {
    var places = Dictionary(
      uniqueKeysWithValues: zip(old.keys[oldRange], oldRange))
    /// The rows that are in the same section of both lists, as pairs of positions.
    var candidates: [(from: Int, to: Int)] = []
    var travellers: [(from: Int, to: Int)] = []
    for to in newRange {
      guard newHomes[to] != Self.gone, let from = places[new.keys[to]],
        oldHomes[from] != Self.gone
      else {
        difference.insertions.append(new.indexPath(at: to))
        continue
      }
      places[new.keys[to]] = nil
      if oldHomes[from] == newHomes[to] {
        candidates.append((from, to))
      } else {
        travellers.append((from, to))
      }
    }
    difference.deletions = places.values.sorted().map { old.indexPath(at: $0) }

    var next = 0
    // If two rows swap positions, the row whose values have changed is moved.
    let run = increasingRun(candidates.map(\.from)) { index in
      let (from, to) = candidates[index]
      return old.fingerprints[from] == new.fingerprints[to]
    }
    for index in run {
      travellers += candidates[next..<index]
      next = index + 1
      let (from, to) = candidates[index]
      if old.fingerprints[from] != new.fingerprints[to] { addUpdate(from, to) }
    }
    travellers += candidates[next...]
    difference.moves = travellers.sorted { $0.to < $1.to }.map { from, to in
      ResultDifference.Move(
        from: old.indexPath(at: from), to: new.indexPath(at: to),
        isUpdated: old.fingerprints[from] != new.fingerprints[to])
    }
  }
}

/// Returns the positions of a longest increasing sequence: the rows that don't need to move. If there are several
/// longest sequences, returns one with the most preferred numbers.
///
///     increasingRun([3, 1, 2, 5, 4])      // [1, 2, 3] or [1, 2, 4], which are the positions of 1, 2, 5 or 1, 2, 4
///
/// Takes O(n log n). A Fenwick tree of maxima over the ranks finds the best sequence that ends in a smaller number.
///
/// - Parameters:
///   - numbers: distinct numbers.
///   - shouldStay: whether to prefer the number at a position.
func increasingRun(
  _ numbers: [Int], preferring shouldStay: (Int) -> Bool = { _ in true }
) -> [Int] {
  let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
  var ranks = [Int](repeating: 0, count: numbers.count)
  for (rank, place) in order.enumerated() { ranks[place] = rank + 1 }
  // Each number has this weight, so that a longer sequence outweighs all preferences.
  let length = numbers.count + 1
  var weights = [Int](repeating: 0, count: numbers.count)
  var previous = [Int](repeating: -1, count: numbers.count)
  var tree = [Int](repeating: -1, count: numbers.count + 1)
  func heavier(_ one: Int, _ other: Int) -> Int {
    if one < 0 { return other }
    return other >= 0 && weights[other] > weights[one] ? other : one
  }
  for place in numbers.indices {
    var before = -1
    var node = ranks[place] - 1
    while node > 0 {
      before = heavier(before, tree[node])
      node &= node - 1
    }
    previous[place] = before
    weights[place] = (before < 0 ? 0 : weights[before]) + length + (shouldStay(place) ? 1 : 0)
    node = ranks[place]
    while node < tree.count {
      tree[node] = heavier(tree[node], place)
      node += node & -node
    }
  }
  var run: [Int] = []
  var place = numbers.indices.reduce(-1, heavier)
  while place >= 0 {
    run.append(place)
    place = previous[place]
  }
  return run.reversed()
}
