import SampleData
import SeededRandom
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// After every batch request, each derived attribute equals its newly computed value.
@Suite struct DerivationDifferentialTests {
  private static let seedsPerCase = UInt64(Soak.times(6))

  @Test(arguments: 0..<UInt64(Soak.times(7)))
  func staysRight(_ part: UInt64) throws {
    for seed in part * Self.seedsPerCase..<(part + 1) * Self.seedsPerCase { try check(seed) }
  }

  private func check(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let graph = DerivedGraph(&generator)
    let made = try GraphStore(graph.model)
    defer { try? made.store.close() }
    do {
      try made.importing(graph.records)
    } catch is any DiagnosableError {
      // Two rows of a one-to-one relationship have the same partner.
      return
    }
    try expectDerived(made, "seed \(seed), import")
    for _ in 0..<6 {
      guard let entity = graph.model.entities.randomElement(using: &generator) else { return }
      let requests = [
        delete, updateAttribute, updateReference, updateReference, upsert, link, link,
      ]
      guard let request = requests.randomElement(using: &generator) else { return }
      var words = ""
      do {
        words = try request(entity, graph, made, &generator)
      } catch let refusal as any DiagnosableError {
        words = "refused: \(refusal.diagnostics.map(\.message))"
        #expect(refusal.diagnostics.allSatisfy { $0.cause == .invalid }, "seed \(seed): \(words)")
      }
      try expectDerived(made, "seed \(seed), \(entity.name) \(words)")
    }
  }

  // MARK: Requests

  private typealias Request = (EntityDescription, DerivedGraph, GraphStore, inout SeededGenerator)
    throws ->
    String

  private func codes(_ graph: DerivedGraph, _ generator: inout SeededGenerator) -> String {
    let some = (0..<graph.count).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
    return "code IN {\(some.map(String.init).joined(separator: ", "))}"
  }

  private func delete(
    _ entity: EntityDescription, _ graph: DerivedGraph, _ made: GraphStore,
    _ generator: inout SeededGenerator
  ) throws -> String {
    let predicate =
      Int.random(in: 0..<6, using: &generator) == 0 ? nil : codes(graph, &generator)
    let request = BatchDelete(
      entity: entity.name, predicate: try predicate.map { try FormatPredicate(parsing: $0) })
    let way = DeletionStrategy.allCases.randomElement(using: &generator)
    try made.store.delete(request.plan(in: made.layout), in: made.layout, by: way)
    return "delete \(predicate ?? "all") \(way?.rawValue ?? "")"
  }

  private func updateAttribute(
    _ entity: EntityDescription, _ graph: DerivedGraph, _ made: GraphStore,
    _ generator: inout SeededGenerator
  ) throws -> String {
    let value = Bool.random(using: &generator) ? #"text:="x""# : "code:=code + 100"
    return try update(entity, value, graph, made, &generator)
  }

  private func updateReference(
    _ entity: EntityDescription, _ graph: DerivedGraph, _ made: GraphStore,
    _ generator: inout SeededGenerator
  ) throws -> String {
    let references = graph.model.relationships(of: entity).filter { !$0.isToMany }
    guard let reference = references.randomElement(using: &generator) else { return "nothing" }
    let number = Int.random(in: 0..<graph.count, using: &generator)
    let paths = references.filter { $0.destination == reference.destination }
      .map { "\(reference.name):=\($0.name)" }
    let values =
      paths + ["\(reference.name):=nil"]
      + Array(repeating: "\(reference.name):=(code == \(number))", count: 3)
    let value = values.randomElement(using: &generator) ?? ""
    return try update(entity, value, graph, made, &generator)
  }

  private func update(
    _ entity: EntityDescription, _ value: String, _ graph: DerivedGraph, _ made: GraphStore,
    _ generator: inout SeededGenerator
  ) throws -> String {
    let predicate = Bool.random(using: &generator) ? nil : codes(graph, &generator)
    let plan = try made.updatePlan(entity.name, [value], where: predicate)
    _ = try made.store.update(
      by: plan, in: made.layout, keepsKeys: Bool.random(using: &generator))
    return "update \(value) where \(predicate ?? "")"
  }

  private func link(
    _ entity: EntityDescription, _ graph: DerivedGraph, _ made: GraphStore,
    _ generator: inout SeededGenerator
  ) throws -> String {
    guard let relationship = graph.model.relationships(of: entity).randomElement(using: &generator)
    else { return "nothing" }
    let kind: BatchLink.Kind = Bool.random(using: &generator) ? .link : .unlink
    let (sources, members) = (codes(graph, &generator), codes(graph, &generator))
    let request = BatchLink(
      kind, entity: entity.name, relationship: relationship.name,
      where: try FormatPredicate(parsing: sources), to: try FormatPredicate(parsing: members))
    _ = try made.store.link(
      by: request.plan(
        in: made.layout, storeUUID: made.store.metadata.uuid), in: made.layout)
    return "\(kind) \(relationship.name) \(sources) \(members)"
  }

  private func upsert(
    _ entity: EntityDescription, _ graph: DerivedGraph, _ made: GraphStore,
    _ generator: inout SeededGenerator
  ) throws -> String {
    let references = DerivedGraph.singles(of: entity, in: graph.model)
    var lines: [String] = []
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      var members = [#""code": \#(Int.random(in: 0..<graph.count * 2, using: &generator))"#]
      if Bool.random(using: &generator) {
        members.append(#""text": \#(DerivedGraph.text(&generator))"#)
      }
      for reference in references where Bool.random(using: &generator) {
        let number = Int.random(in: 0..<graph.count, using: &generator)
        members.append(
          #""\#(reference.name)": \#(Bool.random(using: &generator) ? "\(number)" : "null")"#)
      }
      lines.append("{\(members.joined(separator: ", "))}")
    }
    let policy: ConflictPolicy = Bool.random(using: &generator) ? .update : .ignore
    _ = try made.store.insert(
      MemorySource(Array(lines.joined(separator: "\n").utf8), name: "in.json"), format: .json,
      by: InsertPlan(entity: entity.name, in: made.layout), in: made.layout, on: policy)
    return "\(policy) \(lines)"
  }

  // MARK: Expected values

  private typealias Row = [String: SQLiteValue]

  /// Computes every derived value from the other values of the rows, and compares it.
  private func expectDerived(_ made: GraphStore, _ what: String) throws {
    var rows: [String: [Row]] = [:]
    let tables =
      made.layout.tables.map { ($0.name, $0.columns) }
      + made.layout.joinTables.map { ($0.name, $0.columns) }
    for (table, columns) in tables {
      let names = columns.map(\.name)
      rows[table] = try made.store.read { connection in
        try connection.rows("SELECT \(names.map(SQL.name).joined(", ")) FROM \(name: table)")
          .map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
      }
    }
    for entity in made.layout.model.entities {
      guard let place = made.layout.entity(named: entity.name) else { continue }
      for attribute in entity.attributes {
        guard let derivation = attribute.derivation.flatMap(Derivation.init),
          let column = place.attributes[attribute.name]?.column
        else { continue }
        for row in rows[place.table, default: []] where place.subtree.contains(row.entity) {
          guard derivation != .now else {
            #expect(row[column] != .null, "\(what): \(row)")
            continue
          }
          let expected = value(of: derivation, in: row, of: place, made.layout, rows)
          #expect(
            row[column] == expected, "\(what): \(entity.name).\(attribute.name) of \(row)")
        }
      }
    }
  }

  private func value(
    of derivation: Derivation, in row: Row, of place: EntityLayout, _ layout: StoreLayout,
    _ rows: [String: [Row]]
  ) -> SQLiteValue {
    switch derivation {
    case .now: return .null
    case .count(let relationship):
      return .integer(Int64(members(of: relationship, of: row, place, layout, rows).count))
    case .sum(let relationship, let attribute):
      let column = place.toMany[relationship].flatMap { layout.entity(named: $0.destination) }?
        .attributes[attribute]?.column
      return .integer(
        members(of: relationship, of: row, place, layout, rows)
          .reduce(0) { $0 + ($1[column ?? ""]?.integer ?? 0) })
    case .value(let names): return value(of: names, in: row, of: place, layout, rows)
    case .text(let change, let names):
      guard case .text(let text) = value(of: names, in: row, of: place, layout, rows) else {
        return .null
      }
      return .text(
        change == .uppercase
          ? text.uppercased()
          : change == .lowercase
            ? text.lowercased()
            : ["É": "e", "é": "e", "Straße": "strasse", "straße": "strasse"][text] ?? text)
    }
  }

  private func value(
    of names: [String], in row: Row, of place: EntityLayout, _ layout: StoreLayout,
    _ rows: [String: [Row]]
  ) -> SQLiteValue {
    guard names.count > 1 else { return row[place.attributes[names[0]]?.column ?? ""] ?? .null }
    guard let key = place.toOne[names[0]], let destination = layout.entity(named: key.destination),
      let column = destination.attributes[names[1]]?.column
    else { return .null }
    let target = rows[destination.table, default: []].first { $0["Z_PK"] == row[key.column] }
    return target?[column] ?? .null
  }

  private func members(
    of relationship: String, of row: Row, _ place: EntityLayout, _ layout: StoreLayout,
    _ rows: [String: [Row]]
  ) -> [Row] {
    switch place.toMany[relationship] {
    case .column(let key):
      return rows[key.table, default: []].filter { $0[key.column] == row["Z_PK"] }
    case .joinTable(let join):
      let keys = rows[join.table, default: []].filter { $0[join.sourceColumn] == row["Z_PK"] }
        .map { $0[join.destinationColumn] }
      let table = layout.entity(named: join.destination)?.table ?? ""
      return keys.compactMap { key in rows[table, default: []].first { $0["Z_PK"] == key } }
    case nil: return []
    }
  }
}

extension [String: SQLiteValue] {
  fileprivate var entity: Int64 { self["Z_ENT"]?.integer ?? 0 }
}

extension Store {
  /// Deletes like a batch deletion, but with a strategy that it wouldn't choose for so few rows.
  fileprivate func delete(
    _ plan: DeletePlan, in layout: StoreLayout, by way: DeletionStrategy?
  ) throws {
    try write { connection in
      let deletion = Deletion(
        plan: plan, layout: layout, store: metadata.uuid, connection: connection,
        cancellation: Cancellation(), strategy: DeletionStrategy.preferring(way))
      try deletion.find()
      try deletion.requirePermission()
      try deletion.run(deletion.findings())
    }
  }
}
