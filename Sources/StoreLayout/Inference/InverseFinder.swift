import SQLiteAccess

/// Finds pairs of to-one relationships that are inverses of each other.
struct InverseFinder {
  let forest: EntityForest
  let evidence: RowEvidence

  private struct Match {
    var keys: (Int, Int)
    var agreeing: Int
    var isNamed: Bool
  }

  /// Sets the `partner` of both relationships of each pair. The new owner of a relationship is the nearest common
  /// ancestor of its owner and its inverse's destination.
  func pair(_ keys: inout [KeyDraft]) throws(DatabaseError) {
    let matches = try matches(among: keys).sorted { left, right in
      if left.agreeing != right.agreeing { return left.agreeing > right.agreeing }
      if left.isNamed != right.isNamed { return left.isNamed }
      return left.keys < right.keys
    }
    for match in matches {
      let (one, other) = match.keys
      guard keys[one].partner == nil, keys[other].partner == nil else { continue }
      raise(one, toLeadBackFrom: other, in: &keys)
      raise(other, toLeadBackFrom: one, in: &keys)
      (keys[one].partner, keys[other].partner) = (other, one)
      (keys[one].agreeing, keys[other].agreeing) = (match.agreeing, match.agreeing)
    }
  }

  private func raise(_ key: Int, toLeadBackFrom other: Int, in keys: inout [KeyDraft]) {
    guard let destination = keys[other].destination,
      let owner = forest.nearestCommon(of: [keys[key].owner, destination])
    else { return }
    keys[key].owner = owner
  }

  private func matches(among keys: [KeyDraft]) throws(DatabaseError) -> [Match] {
    // The indices of the keys, by the key's table and the destination's table.
    let byTables = Dictionary(
      grouping: keys.indices.filter { keys[$0].destination != nil && !keys[$0].isOrdered }
    ) { [keys[$0].table, destinationTable(of: keys[$0])] }
    var matches: [Match] = []
    for (tables, ones) in byTables.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let others = byTables[Array(tables.reversed())] ?? []
      for one in ones {
        // A key is also compared with itself, because a relationship can be its own inverse.
        for other in others where one <= other {
          let isOnly = ones.count == 1 && others.count == 1
          if let match = try match(one, other, among: keys, isOnly: isOnly) {
            matches.append(match)
          }
        }
      }
    }
    return matches
  }

  private func destinationTable(of key: KeyDraft) -> String {
    key.destination.map(forest.table(of:)) ?? ""
  }

  private func match(
    _ one: Int, _ other: Int, among keys: [KeyDraft], isOnly: Bool
  ) throws(DatabaseError) -> Match? {
    let (left, right) = (keys[one], keys[other])
    let forth = try evidence.agreement(
      of: left.column, in: left.table, with: right.column, in: right.table)
    let back = try evidence.agreement(
      of: right.column, in: right.table, with: left.column, in: left.table)
    guard forth.differing == 0, back.differing == 0 else { return nil }
    let isNamed = isNamed(left, right) && isNamed(right, left)
    let agreeing = min(forth.agreeing, back.agreeing)
    guard one != other else {
      return agreeing > 1 ? Match(keys: (one, one), agreeing: agreeing, isNamed: false) : nil
    }
    guard agreeing > 0 || (isNamed && isOnly) else { return nil }
    return Match(keys: (one, other), agreeing: agreeing, isNamed: isNamed)
  }

  /// Returns whether the relationship is named after the entity that declares the other relationship.
  private func isNamed(_ key: KeyDraft, _ other: KeyDraft) -> Bool {
    NameLikeness(forest.name(other.owner)).score(of: key.name) >= 150
  }
}
