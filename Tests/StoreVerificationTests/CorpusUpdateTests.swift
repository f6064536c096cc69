import Foundation
import SampleData
import SeededRandom
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// Sets every attribute of every entity and inserts a row of each entity, in copies of real stores. Other data must not
/// change.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusUpdateTests {
  @Test(arguments: Soak.sample(of: CorpusPair.all, every: 4)) func attributesChangeAndNothingElse(
    _ pair: CorpusPair
  ) throws {
    let model = try pair.readModel()
    let folder = try TemporaryFolder()
    let path = try pair.copyStore(into: folder)
    let store = try Store.open(LocalPath(path), .writing)
    let layout = try store.layout(for: model)
    let before = try store.read { try untouched($0, layout) }
    let damage = try errors(in: store, layout)
    for entity in model.entities {
      let values = model.attributes(of: entity).compactMap {
        assignment($0, of: entity, in: layout)
      }
      guard !values.isEmpty else { continue }
      let update = BatchUpdate(entity: entity.name, values: values, validates: false)
      let plan = try update.plan(in: layout, storeUUID: store.metadata.uuid)
      let outcome = try store.update(by: plan, in: layout)
      #expect(
        try store.dryRun(of: plan, in: layout).counts
          == .init(matched: outcome.matched, changed: 0))
    }
    #expect(try store.read { try untouched($0, layout) } == before)
    for entity in model.entities where !entity.isAbstract {
      let outcome = try store.insert(
        MemorySource(Array("{}".utf8), name: "in.json"), format: .json,
        by: InsertPlan(entity: entity.name, in: layout), in: layout, validates: false)
      #expect(outcome.inserted == 1)
    }
    let found = try errors(in: store, layout)
    #expect(found.isSubset(of: damage), "\(found.subtracting(damage))")
  }

  /// Returns the code, the entity and the property of each error that `verify` finds.
  private func errors(in store: Store, _ layout: StoreLayout) throws -> Set<String> {
    let findings = try store.verify(in: layout).filter { $0.severity == .error }
    return Set(
      findings.map { "\($0.code) \($0.entity ?? "") \($0.property ?? "")" })
  }

  /// Returns a value for all rows; nil for an attribute that can't be set or whose values are unique.
  private func assignment(
    _ attribute: AttributeDescription, of entity: EntityDescription, in layout: StoreLayout
  ) -> BatchUpdate.Assignment? {
    guard let column = layout.entity(named: entity.name)?.attributes[attribute.name],
      !column.isDerived, !isUnique(attribute.name, in: layout.model)
    else { return nil }
    let value: DataValue? =
      switch attribute.type {
      case .integer16, .integer32, .integer64: .integer(42)
      case .decimal, .double, .float: .double(2.5)
      case .boolean: .boolean(true)
      case .string: .string("Zoë 🧋")
      case .date: .date(700_000_000.25)
      case .uri: .string("https://example.org")
      case .uuid: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map { .uuid($0) }
      case .binary: .binary([1, 2, 3])
      case .transformable, .undefined, .objectID, .composite: nil
      }
    return value.map { .init(attribute.name, .value($0)) }
  }

  private func isUnique(_ name: String, in model: DataModel) -> Bool {
    model.entities.contains { $0.uniquenessConstraints.contains { $0.contains(name) } }
  }

  /// Returns data that an update of attributes must not change: the schema, the metadata, pairs of join tables, and
  /// keys and relationships of rows.
  private func untouched(_ connection: Connection, _ layout: StoreLayout) throws -> [String] {
    var lines: [String] = []
    func add(_ sql: SQL) throws {
      lines += try connection.rows(sql).map { $0.map(\.shown).joined(separator: " ") }
    }
    try add("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
    try add("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    for table in layout.joinTables { try add("SELECT * FROM \(name: table.name) ORDER BY 1, 2") }
    for table in layout.tables {
      let toOnes = layout.entities.filter { $0.table == table.name }.flatMap(\.toOne.values)
      let columns = toOnes.flatMap { [$0.column, $0.entityColumn, $0.orderColumn] }
      let names = Set(columns.compactMap { $0 }).sorted()
      let list = ([FixedColumn.primaryKey, FixedColumn.entity] + names).map(SQL.name).joined(", ")
      try add("SELECT \(list) FROM \(name: table.name) ORDER BY 1")
    }
    return lines
  }
}
