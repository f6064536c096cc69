import StoreSQL
import SQLiteAccess
import StoreLayout

/// The column of a to-one relationship on its way into the model.
struct KeyDraft {
  var table: String
  var column: String
  /// In upper case, without the number that a collision has added.
  var name: String
  var spelling: String
  var isOrdered: Bool
  /// By `Z<n>_NAME`.
  var namedDestination: Int64?
  /// Nothing but a key has the columns beside it.
  var isCertain: Bool
  /// The entity that declares it.
  var owner: Int64
  var destination: Int64?
  var ground: Guess.Ground?
  /// The index of the to-one on the other side.
  var partner: Int?
  /// How many rows show that.
  var agreeing = 0
}

/// Finds where to-one relationships lead. Where the destination has sub-entities, a column beside the key says it; else it
/// is an entity without any, all of whose keys are there.
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

  /// - Returns: the columns that are no keys after all.
  func find(for keys: inout [KeyDraft]) throws(DatabaseError) -> Set<Int> {
    var refuted: Set<Int> = []
    for index in keys.indices {
      if let named = keys[index].namedDestination, forest[named] != nil {
        keys[index].destination = named
      } else if try !find(for: index, in: &keys) {
        refuted.insert(index)
      }
    }
    let hubs = Dictionary(grouping: keys.compactMap(\.destination), by: { $0 }).mapValues(\.count)
    for index in keys.indices where keys[index].destination == nil && !refuted.contains(index) {
      keys[index].destination = mostUsual(for: keys[index], hubs)
      keys[index].ground = leaves.count == 1 ? .onlyEntity : .nothing
    }
    return refuted
  }

  /// - Returns: whether it is a key; one whose destination nothing tells keeps none.
  private func find(for index: Int, in keys: inout [KeyDraft]) throws(DatabaseError) -> Bool {
    let key = keys[index]
    let values = try evidence.values(of: key.column, in: key.table)
    let numbers = values.compactMap(\.integer).filter { $0 > 0 }
    guard key.isCertain || numbers.count == values.count else { return false }
    let fitting = numbers.isEmpty ? leaves : try candidates(for: numbers)
    guard !fitting.isEmpty else {
      // Damage, or no key; the name decides.
      keys[index].destination = mostLike(key, among: leaves)
      keys[index].ground = .name
      return key.isCertain || keys[index].destination != nil
    }
    guard fitting.count > 1 else {
      keys[index].destination = fitting[0]
      keys[index].ground = numbers.isEmpty ? .onlyEntity : .keys(count: numbers.count)
      return true
    }
    guard !numbers.isEmpty else {
      keys[index].destination = mostLike(key, among: leaves)
      keys[index].ground = .name
      return true
    }
    let answering = try answering(key, among: fitting, keys)
    let best = answering.isEmpty ? fitting : answering
    if let liked = mostLike(key, among: best) {
      keys[index].destination = liked
      keys[index].ground = .keysAndName(count: numbers.count)
    } else {
      keys[index].destination = try tightest(best)
      keys[index].ground = .keysAmongSeveral(count: numbers.count)
    }
    return true
  }

  /// The entities that have a row for each key; those with sub-entities count where no other has.
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
      let isLike = isOfItsLike && forest.table(of: candidate) == key.table
      return (candidate, score > 0 ? score : isLike ? 10 : 0)
    }
    // The first of equals, whose number is the lowest.
    guard let best = scores.map(\.1).max(), best > 0 else { return nil }
    return scores.first { $0.1 == best }?.0
  }

  /// Those with a key that leads back to each of the rows.
  private func answering(
    _ key: KeyDraft, among candidates: [Int64], _ keys: [KeyDraft]
  ) throws(DatabaseError) -> [Int64] {
    var answering: [Int64] = []
    for candidate in candidates {
      let table = forest.table(of: candidate)
      for other in keys where other.table == table && other.column != key.column {
        let found = try evidence.agreement(
          of: key.column, in: key.table, with: other.column, in: table)
        guard found.agreeing > 1, found.differing == 0 else { continue }
        answering.append(candidate)
        break
      }
    }
    return answering
  }

  /// The one with the fewest rows: the keys are most of its own.
  private func tightest(_ candidates: [Int64]) throws(DatabaseError) -> Int64? {
    var best: (entity: Int64, rows: Int64)?
    for candidate in candidates {
      let rows = try evidence.highestKey(in: forest.table(of: candidate))
      if rows < best?.rows ?? .max { best = (candidate, rows) }
    }
    return best?.entity
  }

  /// Where most others lead.
  private func mostUsual(for key: KeyDraft, _ hubs: [Int64: Int]) -> Int64? {
    let candidates = leaves.isEmpty ? forest.numbers : leaves
    return candidates.max { (hubs[$0, default: 0], $1) < (hubs[$1, default: 0], $0) }
  }
}
