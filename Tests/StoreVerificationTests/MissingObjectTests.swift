import StoreDiagnostics
import Foundation
import SampleData
import SeededRandom
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// Drops every kind of object that a model requires, one at a time. `verify` names it, and requests don't fail with an
/// SQL error.
@Suite struct MissingObjectTests {
  private static let graph = Result {
    try AlteredStore(GraphModel.model, records, history: true)
  }
  private static let library = Result { try AlteredStore(SampleModels.library) }

  private static let records = """
    {"$entity": "Person", "$id": "p", "tags": [{"$entity": "Tag"}, {"$entity": "Tag"}],
     "passport": {"key": "b"}, "things": [{"key": "a", "labels": [{"$entity": "Tag"}]}],
     "favourites": [{"key": "f"}], "keepsakes": [{"key": "k"}, {"key": "l"}],
     "friends": [{"$entity": "Person"}]}
    {"$entity": "Thing", "parent": {"$entity": "Gadget", "key": "c"}, "owner": "p"}
    """

  /// The statement that drops an object, and the name that `verify` must report.
  struct Loss: CustomTestStringConvertible, Sendable {
    var sql: String
    var name: String
    var testDescription: String { sql }
  }

  private static func losses(of store: AlteredStore) throws -> [Loss] {
    let reader = try Store.open(LocalPath(store.base.path), .reading)
    let layout = try reader.layout(for: store.model)
    let history = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    return try reader.read { connection in
      let tables =
        layout.tables.map { $0.name } + layout.joinTables.map { $0.name }
        + (try connection.hasTable("ACHANGE") ? history : [])
      let columns = try (tables + ["Z_PRIMARYKEY"]).flatMap { table in
        try connection.columnNames(of: table)
          // Not every store contains these columns. Newer stores keep the strings of transactions in another table.
          .filter { !["ZQUERYGEN"].contains($0) && !(table == "ATRANSACTION" && $0.isText) }
          .map { Loss(sql: "ALTER TABLE \(table) RENAME COLUMN \($0) TO GONE", name: $0) }
      }
      let indexes = layout.tables.flatMap { table in
        table.indexes.filter { index in
          // Another index on the same columns replaces it.
          !table.indexes.contains {
            $0.name != index.name && $0.columns.map(\.name).starts(with: index.columns.map(\.name))
          }
        }.map(\.name)
      }
      let numbers = try connection.primaryKeys().filter { $0.number < HistoryEntity.first }
      return (tables + ["Z_PRIMARYKEY"]).map { Loss(sql: "DROP TABLE \($0)", name: $0) } + columns
        + (indexes + layout.joinTables.compactMap(\.index?.name)).map {
          Loss(sql: "DROP INDEX \($0)", name: $0)
        } + layout.triggers.map { Loss(sql: "DROP TRIGGER \($0.name)", name: $0.name) }
        + numbers.map {
          Loss(sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = \($0.number)", name: $0.name)
        }
        + [Loss(sql: "DELETE FROM Z_METADATA", name: "Z_METADATA")]
    }
  }

  @Test(arguments: Soak.sample(of: (try? losses(of: graph.get())) ?? [], every: 5))
  func everyObjectOfAGraphIsNamed(_ loss: Loss) throws {
    try expectNamed(loss, in: Self.graph.get())
  }

  @Test(arguments: Soak.sample(of: (try? losses(of: library.get())) ?? [], every: 5))
  func everyObjectOfALibraryIsNamed(_ loss: Loss) throws {
    try expectNamed(loss, in: Self.library.get())
  }

  @Test func thereAreEnough() throws {
    #expect(try Self.losses(of: Self.graph.get()).count > 90)
    #expect(try Self.losses(of: Self.library.get()).count > 60)
  }

  private func expectNamed(_ loss: Loss, in store: AlteredStore) throws {
    // With this pragma, triggers aren't checked when a column of their table is renamed.
    let copy = try store.altered("PRAGMA legacy_alter_table = ON; \(loss.sql)")
    let findings = try copy.findings()
    #expect(findings.contains { $0.contains(loss.name) }, "\(findings)")
    for (name, request) in requests(copy) {
      do {
        try request()
      } catch let error as DatabaseError {
        if case .sql = error { Issue.record("\(name): \(error)") }
      } catch {
        // Other errors describe the request.
      }
    }
  }

  private func requests(_ copy: AlteredStore.Copy) -> [(String, () throws -> Void)] {
    let entities = copy.model.entities.filter { !$0.isAbstract }
    return [
      ("describe", { _ = try Store.describe(LocalPath(copy.path)) }),
      ("export", { _ = try copy.exported() }),
      (
        "history",
        {
          let (store, _) = try copy.reading()
          try store.read { connection in
            _ = try HistoryLog(connection).transactions(since: nil)
          }
        }
      ),
      ("import", { try copy.importing(Self.records) }),
      (
        "whole",
        {
          let (store, layout) = try copy.reading()
          try store.requireWhole(for: layout, in: store.read { try $0.schema() })
        }
      ),
    ]
      + entities.map { entity in ("insert", { try copy.insert("{}", into: entity.name) }) }
      + entities.map { entity in ("delete", { try copy.deleteAll(entity.name) }) }
      + [
        (
          "repair",
          {
            let (store, layout) = try copy.writing()
            _ = try store.repairable(in: layout)
            _ = try store.repair(in: layout)
          }
        )
      ]
  }
}

extension String {
  fileprivate var isText: Bool {
    ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].contains(self)
  }
}
