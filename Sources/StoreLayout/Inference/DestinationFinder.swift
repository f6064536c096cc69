import SQLiteAccess

/// A column that seems to contain the keys of a to-one relationship. It can have companion columns: `Z<n>_NAME` with
/// the numbers of the destinations' entities, and `Z_FOK_NAME` with positions.
struct KeyDraft {
  var table: String
  var column: String
  /// The relationship's name in upper case, without the number that Core Data adds after a name collision.
  var name: String
  /// The relationship's name with its assumed upper-case and lower-case letters.
  var spelling: String
  /// Whether there is a column with positions for an ordered inverse.
  var isOrdered: Bool
  /// The number of the destination in the name of the companion column `Z<n>_NAME`, or nil without that column.
  var namedDestination: Int64?
  /// Whether the column is certainly a key, because it has companions that only keys have.
  var isCertain: Bool
  /// The number of the entity that declares the relationship.
  var owner: Int64
  var destination: Int64?
  /// The evidence for the destination.
  var ground: Guess.Ground?
  /// The index of the inverse among the keys, if the inverse is also a to-one relationship.
  var partner: Int?
  /// The number of rows that confirm the inverse.
  var agreeing = 0
}

/// Finds the destinations of to-one relationships. If the destination has subentities, the name of a companion column
/// contains the destination's number. Otherwise the candidates are the entities that have a row for each key, and
/// similar names decide between them.
struct DestinationFinder {
  let forest: EntityForest
  let evidence: RowEvidence
  private let leaves: [Int64]
  private let likeness: [Int64: NameLikeness]

  init(_ forest: EntityForest, _ evidence: RowEvidence) {
    self.forest = forest
    self.evidence = evidence
    leaves = forest.numbers.filter(forest.isLeaf)
    likeness = Dictionary(
      uniqueKeysWithValues: forest.numbers.map { ($0, NameLikeness(forest.name($0))) })
  }

  /// Sets the destinations of the keys.
  ///
  /// - Parameter joined: the destinations of many-to-many relationships.
  /// - Returns: the indices in `keys` of columns that aren't keys after all.
  func find(for keys: inout [KeyDraft], joined: [Int64]) throws(DatabaseError) -> Set<Int> {
    var refuted: Set<Int> = []
    var open: [(key: Int, candidates: [Int64])] = []
    for index in keys.indices {
      if let named = keys[index].namedDestination, forest[named] != nil {
        keys[index].destination = named
        continue
      }
      switch try finding(for: index, among: keys) {
      case .noKey: refuted.insert(index)
      case .found(let destination, let ground):
        keys[index].destination = destination
        keys[index].ground = ground
      case .open(let candidates, let ground):
        keys[index].ground = ground
        open.append((index, candidates))
      }
    }
    // If several candidates remain, the most frequent destination of other relationships is chosen.
    var hubs: [Int64: Int] = [:]
    for entity in keys.compactMap(\.destination) + joined { hubs[entity, default: 0] += 1 }
    for (index, candidates) in open {
      keys[index].destination = candidates.max {
        (hubs[$0, default: 0], $1) < (hubs[$1, default: 0], $0)
      }
    }
    return refuted
  }

  private enum Finding {
    case noKey
    case found(Int64, Guess.Ground?)
    case open([Int64], Guess.Ground)
  }

  private func finding(
    for index: Int, among keys: [KeyDraft]
  ) throws(DatabaseError) -> Finding {
    let key = keys[index]
    let values = try evidence.values(of: key.column, in: key.table)
    let numbers = values.compactMap(\.integer).filter { $0 > 0 }
    let fitting = numbers.isEmpty ? leaves : try candidates(for: numbers)
    guard numbers.count == values.count, !fitting.isEmpty else {
      // The store is damaged or the column isn't a key, so only the name is used.
      let all = leaves.isEmpty ? forest.numbers : leaves
      if let liked = mostLike(key, among: all) { return .found(liked, .name) }
      return key.isCertain ? .open(all, .nothing) : .noKey
    }
    if numbers.count < Self.few, let named = exactlyNamed(key), !fitting.contains(named) {
      return .found(named, .name)
    }
    guard fitting.count > 1 else {
      return .found(fitting[0], numbers.isEmpty ? .onlyEntity : .keys(count: numbers.count))
    }
    guard !numbers.isEmpty else {
      return mostLike(key, among: leaves).map { .found($0, .name) } ?? .open(leaves, .nothing)
    }
    let answering = try answering(key, among: fitting, keys)
    let best = answering.isEmpty ? fitting : answering
    if let liked = mostLike(key, among: best) {
      return .found(
        liked, .keysAndName(count: numbers.count, entity: forest.name(liked)))
    }
    return .open(best, .keysAmongSeveral(count: numbers.count))
  }

  /// With fewer keys, a match can be a coincidence, so an entity with exactly the relationship's name is preferred.
  private static let few = 3

  private func exactlyNamed(_ key: KeyDraft) -> Int64? {
    leaves.first { forest.name($0).uppercased() == key.name }
  }

  /// Returns the entities that have a row for each key. Entities with subentities are returned only if no other entity
  /// has these rows.
  private func candidates(for keys: [Int64]) throws(DatabaseError) -> [Int64] {
    var fitting: [Int64] = []
    var withSubentities: [Int64] = []
    let greatest = keys.max() ?? 0
    for root in forest.roots {
      let table = forest.table(of: root)
      guard try evidence.highestKey(in: table) >= greatest else { continue }
      let found = try evidence.entities(ofKeys: keys, in: table)
      for member in forest.members(ofTable: table) {
        let count = found.filter { forest.isKind($0.key, of: member) }.map(\.value).reduce(0, +)
        guard count == keys.count else { continue }
        if forest.isLeaf(member) { fitting.append(member) } else { withSubentities.append(member) }
      }
    }
    return fitting.isEmpty ? withSubentities : fitting
  }

  private func mostLike(_ key: KeyDraft, among candidates: [Int64]) -> Int64? {
    let isOfItsLike = NameLikeness.leadsToItsLike(key.name)
    let scores = candidates.map { candidate in
      let score = likeness[candidate]?.score(of: key.name) ?? 0
      guard isOfItsLike, forest.table(of: candidate) == key.table else { return (candidate, score) }
      return (candidate, score + (candidate == key.owner ? 20 : 10))
    }
    guard let best = scores.map(\.1).max(), best > 0 else { return nil }
    return scores.first { $0.1 == best }?.0
  }

  /// Returns the candidates whose table has a key column that refers back to each checked row, as in a one-to-one
  /// relationship.
  private func answering(
    _ key: KeyDraft, among candidates: [Int64], _ keys: [KeyDraft]
  ) throws(DatabaseError) -> [Int64] {
    var answering: [Int64] = []
    for candidate in candidates {
      let table = forest.table(of: candidate)
      // The keys include `key` itself, because a relationship can be its own inverse.
      for other in keys where other.table == table {
        let found = try evidence.agreement(
          of: key.column, in: key.table, with: other.column, in: table)
        guard found.agreeing > 1, found.differing == 0 else { continue }
        answering.append(candidate)
        break
      }
    }
    return answering
  }
}

/// The similarity of the upper-case name of a to-one relationship to the name of an entity. `SENDER` isn't similar to
/// `User`, but `PARENTFOLDER` is similar to `Folder`.
struct NameLikeness {
  private let whole: String
  /// The parts of the name from each word to the end: `USERDEVICESTATE`, `DEVICESTATE`, `STATE`.
  private let endings: [String]

  init(_ entity: String) {
    whole = entity.uppercased()
    endings = entity.camelCaseStarts.map { String(entity[$0...]).uppercased() }
      .filter { $0.count > 2 }
  }

  func score(of name: String) -> Int {
    if name == whole { return 200 }
    if endings.contains(name) { return 150 }
    let ending = endings.first(where: name.hasSuffix)
    if let ending { return 100 + min(ending.count, 40) }
    let beginning = endings.first(where: name.hasPrefix)
    if let beginning { return 60 + min(beginning.count, 30) }
    guard name.count > 3 else { return 0 }
    if whole.hasPrefix(name) { return 50 }
    if whole.contains(name) { return 30 }
    return endings.contains { $0.count > 3 && name.contains($0) } ? 20 : 0
  }

  /// Returns whether the name contains a word for a relationship to the same entity, such as `PARENT`.
  static func leadsToItsLike(_ name: String) -> Bool {
    ["PARENT", "CHILD", "SUPER", "NEXT", "PREVIOUS", "ORIGINAL", "MASTER", "ROOT"]
      .contains(where: name.contains)
  }
}

extension String {
  /// The indices at which words begin.
  fileprivate var camelCaseStarts: [Index] {
    indices.filter { index in
      guard index > startIndex else { return true }
      let before = self[self.index(before: index)]
      let next = self.index(after: index)
      let isLast = next == endIndex
      return self[index].isUppercase
        && (!before.isUppercase || (!isLast && self[next].isLowercase))
    }
  }
}
