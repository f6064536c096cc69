import Foundation
import RecordFormats
import SampleData
import SeededRandom
import SQLiteAccess
import StoreComparison
import StoreLayout
import StoreModel
import StoreTestSupport
import Testing
import TestSupport
import StoreCore

/// Random stores with every type of attribute and every kind of relationship, and random changes, compared with the
/// results of `ComparisonOracle`.
///
///     COMPARISON_SEEDS=17 swift test --filter RandomComparisonTests           one again
@Suite struct RandomComparisonTests {
  static let seeds = Array(Seeds.named("COMPARISON_SEEDS", otherwise: 1...24))

  private func store(_ graph: RandomGraph) throws -> GraphStore {
    let made = try GraphStore()
    try made.store.write { try graph.insert(into: $0, made.layout) }
    return made
  }

  @Test(arguments: seeds) func byObjectID(seed: UInt64) throws {
    let graph = RandomGraph(seed: seed, count: 8)
    let (old, new) = (try store(graph), try store(graph))
    try expectSame(old, new, ComparisonOracle(GraphModel.model), seed)
    var changes = RandomChanges(new, seed: seed, isWild: true)
    for count in [1, 5, 40] {
      try changes.make(count)
      try expectSame(old, new, ComparisonOracle(GraphModel.model), seed)
      try expectSame(new, old, ComparisonOracle(GraphModel.model), seed)
    }
  }

  /// The rows of the other store have other keys, because its records were imported in another order.
  @Test(arguments: seeds) func byKeyOfAttributes(seed: UInt64) throws {
    var graph = RandomGraph(seed: seed, count: 8)
    let old = try store(graph)
    let new = try GraphStore()
    let order = graph.objects.indices.shuffled(using: &graph.generator)
    try new.importing(graph.ndjson(order: order), strict: true)
    let keys = ["Being": ["key"], "Passport": ["key"], "Tag": ["key"], "Thing": ["key"]]
    let oracle = ComparisonOracle(GraphModel.model) { _ in ["key"] }
    let rules = MatchingRules(
      rest: .uniqueKey, keys: keys.map { EntityKey(entity: $0, attributes: $1) })
    try expectSame(old, new, oracle, seed, by: rules)
    var changes = RandomChanges(new, seed: seed, isWild: false)
    var oldChanges = RandomChanges(old, seed: seed &+ 1, isWild: false)
    for count in [1, 5, 40] {
      try changes.make(count)
      try oldChanges.make(count / 2)
      try loseKeys(of: new, seed)
      try expectSame(old, new, oracle, seed, by: rules)
    }
  }

  /// Rows without a key have no match.
  private func loseKeys(of store: GraphStore, _ seed: UInt64) throws {
    try store.store.write {
      _ = try $0.run("UPDATE ZTAG SET ZKEY = NULL WHERE Z_PK = \(value: .integer(Int64(seed % 9)))")
    }
  }

  /// The stores have different versions: entities have different numbers, and each store lacks a property of the other
  /// one.
  @Test(arguments: seeds) func acrossVersions(seed: UInt64) throws {
    let graph = RandomGraph(seed: seed, count: 6)
    let old = try store(graph)
    let new = try GraphStore(Self.nextModel)
    try new.importing(old.exported())
    var changes = RandomChanges(new, seed: seed, isWild: true)
    for count in [0, 5, 40] {
      try changes.make(count)
      try expectSame(old, new, ComparisonOracle(GraphModel.model), seed)
    }
    let left = try plan(old, new, MatchingRules(rest: .objectID)).omitted
    #expect(
      left.map { "\($0.entity).\($0.property ?? "")" }.sorted() == [
        "Aaa.", "Gadget.text", "Gadget.zzz", "Thing.text", "Thing.zzz",
      ])
  }

  /// A model with an additional entity, which has the first number, and with another attribute in place of one.
  private static var nextModel: DataModel {
    let entities = GraphModel.model.entities.map { entity in
      guard entity.name == "Thing" else { return entity }
      var thing = entity
      thing.attributes.removeAll { $0.name == "text" }
      thing.attributes.append(AttributeDescription(name: "zzz", type: .string, isOptional: true))
      return thing
    }
    return DataModel(
      name: "Graph", entities: [EntityDescription(name: "Aaa")] + entities,
      composites: GraphModel.model.composites)
  }

  private func plan(
    _ old: GraphStore, _ new: GraphStore, _ rules: MatchingRules
  ) throws -> ComparisonPlan {
    try ComparisonPlan(old.layout, new.layout, by: rules)
  }

  private func expectSame(
    _ old: GraphStore, _ new: GraphStore, _ oracle: ComparisonOracle, _ seed: UInt64,
    by rules: MatchingRules = MatchingRules(rest: .objectID),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try oracle.differences(old, new)
    let comparison = StoreComparison(try plan(old, new, rules))
    var found: [String] = []
    let summary = try old.store.read { one in
      try new.store.read { other in
        try comparison.run(
          old.compared(one), new.compared(other), visit: { found.append(try oracle.line(of: $0)) })
      }
    }
    if found.sorted() != expected {
      let difference = Golden.lineDifference(
        from: expected.joined(separator: "\n"), to: found.sorted().joined(separator: "\n"))
      Issue.record("seed \(seed):\n\(difference.prefix(3000))", sourceLocation: sourceLocation)
    }
    #expect(summary.differences == expected.count, sourceLocation: sourceLocation)
    let properties = summary.entities.flatMap(\.properties).reduce(0) { $0 + $1.changed }
    let named = expected.filter { $0.hasPrefix("changed") }
      .reduce(0) { $0 + ($1.split(separator: ": ").last?.split(separator: ",").count ?? 0) }
    #expect(properties == named, "seed \(seed)", sourceLocation: sourceLocation)
  }
}

extension ComparisonOracle {
  /// A difference as the oracle writes it.
  fileprivate func line(of difference: VisitedDifference) throws -> String {
    let entity = difference.entity
    var names = entity.properties.enumerated()
      .filter { difference.properties.contains($0.offset) }.map(\.element.name)
    let side = difference.kind == .removed ? "old" : "new"
    let row = try #require(difference.kind == .removed ? difference.old : difference.new)
    var object = Object()
    for (index, column) in row.shape.columns.enumerated() {
      var out = ByteBuffer()
      try out.append(
        jsonOf: index, of: UnsafePointer(row.rows.cells(ofRow: 0)), in: row.rows, row.shape)
      object[column.name] = try JSONSerialization.jsonObject(
        with: Data(out.text.utf8), options: .fragmentsAllowed)
    }
    object["$entity"] = entity.name
    let identity = identity(of: object, Self.shortID(object["id"] as? String ?? ""), side)
    names.sort()
    let list = difference.kind == .changed ? ": \(names.joined(separator: ", "))" : ""
    return "\(difference.kind.rawValue) \(identity)\(list)"
  }
}
