import StoreLayout
import StoreModel
import SQLiteAccess

/// Deletes objects of a graph one at a time, by the delete rules of its relationships, as Core Data does. Denials are
/// checked after all deletions are known.
struct ObjectDeletion {
  private(set) var graph: RuledGraph
  private(set) var gone: Set<Int> = []
  /// Objects whose to-one became nil, by relationship; by the to-many if it has no inverse.
  private(set) var cleared: [String: Set<Int>] = [:]
  /// Pairs that were removed from their owners.
  private(set) var unpaired: [String: Set<RuledGraph.Pair>] = [:]
  /// Objects that lost a member whose to-one referenced them.
  private var shrunk: Set<Int> = []
  private var denied: [(from: Int, to: Int)] = []
  private let before: RuledGraph

  init(_ graph: RuledGraph) {
    self.graph = graph
    before = graph
  }

  mutating func delete(_ object: Int) {
    guard gone.insert(object).inserted, let entity = model.entity(named: graph.entities[object])
    else { return }
    for relationship in model.relationships(of: entity) {
      let name = graph.qualified(relationship.name, of: entity.name)
      let others = others(of: object, relationship, name)
      switch relationship.deleteRule {
      case .cascade: for other in others { delete(other) }
      case .deny: denied += others.map { (object, $0) }
      case .nullify: for other in others { release(other, from: relationship, name) }
      case .noAction: break
      }
    }
    takeFromPairs(object)
    takeFromOneWayReferences(object)
  }

  private var model: DataModel { graph.model }

  private func others(of object: Int, _ relationship: RelationshipDescription, _ name: String)
    -> [Int]
  {
    guard relationship.isToMany else {
      return graph.toOne[name]?[object].map { [$0] } ?? []
    }
    guard let (back, owner) = model.inverse(of: relationship) else {
      return graph.hidden[name, default: [:]].filter { $0.value == object }.map(\.key)
    }
    guard back.isToMany else {
      return graph.toOne["\(owner.name).\(back.name)", default: [:]]
        .filter { $0.value == object }.map(\.key)
    }
    return graph.pairs[name, default: []].filter { $0.owner == object }.map(\.member)
  }

  /// Removes a deleted object from the other side of a relationship.
  private mutating func release(
    _ other: Int, from relationship: RelationshipDescription, _ name: String
  ) {
    guard let (back, owner) = model.inverse(of: relationship) else {
      guard relationship.isToMany else { return }
      graph.hidden[name]?[other] = nil
      cleared[name, default: []].insert(other)
      return
    }
    guard !back.isToMany else {
      if !relationship.isToMany { shrunk.insert(other) }
      return
    }
    let backName = "\(owner.name).\(back.name)"
    graph.toOne[backName]?[other] = nil
    cleared[backName, default: []].insert(other)
  }

  private mutating func takeFromPairs(_ object: Int) {
    for (name, pairs) in graph.pairs {
      let lost = pairs.filter { $0.owner == object || $0.member == object }
      graph.pairs[name] = pairs.subtracting(lost)
      unpaired[name, default: []].formUnion(lost.filter { $0.member == object })
    }
  }

  private mutating func takeFromOneWayReferences(_ object: Int) {
    for entity in model.entities {
      for relationship in entity.relationships
      where !relationship.isToMany && relationship.inverse == nil {
        let name = "\(entity.name).\(relationship.name)"
        for (owner, target) in graph.toOne[name, default: [:]] where target == object {
          graph.toOne[name]?[owner] = nil
          cleared[name, default: []].insert(owner)
        }
      }
    }
  }

  // MARK: Results

  var isRefused: Bool {
    if denied.contains(where: { !gone.contains($0.to) }) { return true }
    return model.entities.contains { entity in
      entity.relationships.contains { relationship in
        !relationship.isToMany && !relationship.isOptional
          && !cleared["\(entity.name).\(relationship.name)", default: []].isSubset(of: gone)
      }
    }
  }

  var deleted: [String: Int] {
    Dictionary(grouping: gone) { graph.entities[$0] }.mapValues(\.count)
  }

  var nullified: [String: Int] {
    let single = cleared.mapValues { $0.subtracting(gone).count }
    let pairs = unpaired.mapValues { $0.filter { !gone.contains($0.owner) }.count }
    return single.merging(pairs) { $0 + $1 }.filter { $0.value > 0 }
  }

  /// The numbers of references from remaining objects to deleted ones.
  var dangling: [String: Int] {
    let single = graph.toOne.merging(graph.hidden) { first, _ in first }.mapValues { references in
      references.count { !gone.contains($0.key) && gone.contains($0.value) }
    }
    let pairs = graph.pairs.mapValues { pairs in
      pairs.count { !gone.contains($0.owner) && gone.contains($0.member) }
    }
    return single.merging(pairs) { $0 + $1 }.filter { $0.value > 0 }
  }

  /// Deletes only the objects, without applying delete rules.
  mutating func deleteWithoutRules(_ objects: [Int]) {
    gone.formUnion(objects)
  }

  /// Returns the rows that should remain.
  func rows(withoutRules: Bool) -> RuledGraph.Rows {
    var kept = graph
    if withoutRules { kept = before }
    var rows = kept.rows()
    for object in graph.entities.indices {
      guard let entity = graph.layout.entity(named: graph.entities[object]),
        let index = rows[entity.table]?.firstIndex(where: {
          $0["Z_PK"] == .integer(graph.keys[object])
        })
      else { continue }
      if gone.contains(object) {
        rows[entity.table]?.remove(at: index)
      } else if isTouched(object) {
        rows[entity.table]?[index]["Z_OPT"] = .integer(2)
      }
    }
    return rows
  }

  private func isTouched(_ object: Int) -> Bool {
    shrunk.contains(object) || cleared.values.contains { $0.contains(object) }
      || unpaired.values.contains { pairs in pairs.contains { $0.owner == object } }
  }
}
