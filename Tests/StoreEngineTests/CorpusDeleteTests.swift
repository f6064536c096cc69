@testable import StoreDiagnostics
import Foundation
import SeededRandom
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// Deletes the rows of every entity in copies of real stores, and rolls back each deletion.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusDeleteTests {
  private struct RolledBack: Error {}

  @Test(arguments: Soak.sample(of: CorpusPair.all, every: 4, from: 2)) func leavesNothingDangling(
    _ pair: CorpusPair
  ) throws {
    let model = try pair.readModel()
    let folder = try TemporaryFolder()
    let path = try pair.copyStore(into: folder)
    let store = try Store.open(LocalPath(path), .writing)
    let layout = try store.layout(for: model)
    let (dangling, prints) = try store.read {
      (try Self.dangling(in: layout, on: $0), try Self.fingerprints(of: layout, on: $0))
    }
    for entity in model.entities {
      do {
        try store.write { connection in
          try delete(
            entity.name, in: layout, of: pair.store, before: (dangling, prints), on: connection)
          throw RolledBack()
        }
      } catch is RolledBack {
        continue
      }
    }
  }

  private func delete(
    _ entity: String, in layout: StoreLayout, of store: String,
    before: (dangling: [String: Int64], prints: [String: [SQLiteValue]]),
    on connection: Connection
  ) throws {
    let place = "\(store): \(entity)"
    let plan = try BatchDelete(entity: entity).plan(in: layout)
    let deletion = Deletion(
      plan: plan, layout: layout, store: "STORE", connection: connection,
      cancellation: Cancellation())
    try deletion.find()
    do {
      try deletion.requirePermission()
    } catch is DeletionRefusal {
      return
    }
    let findings = try deletion.findings()
    try deletion.run(findings) { _ in }
    // The findings report the references that No Action leaves.
    let announced = Int64(findings.dangling.values.reduce(0, +))
    for (name, count) in try Self.dangling(in: layout, on: connection) {
      #expect(count <= before.dangling[name, default: 0] + announced, "\(place): \(name)")
    }
    let touched = Set(
      plan.deleted.map(\.table) + plan.references.map(\.table) + plan.memberships.map(\.table)
        + plan.joins.map(\.table) + plan.losses.map(\.table))
    let after = try Self.fingerprints(of: layout, on: connection)
    for (table, print) in before.prints where !touched.contains(table) {
      #expect(after[table] == print, "\(place): \(table)")
    }
    for deleted in plan.deleted {
      let check = try connection.rows("PRAGMA integrity_check(\(name: deleted.table))")
      #expect(check == [[.text("ok")]], "\(place)")
    }
  }

  /// Returns the numbers of dangling references and pairs, by relationship or join table.
  private static func dangling(
    in layout: StoreLayout, on connection: Connection
  ) throws -> [String: Int64] {
    var found: [String: Int64] = [:]
    func count(
      _ name: String, _ table: String, _ column: String, _ target: String,
      of holders: EntityLayout? = nil
    ) throws {
      // Rows of other entities don't have the property, so their column values are ignored.
      let isHolder: SQL =
        holders.map { " AND \(PredicateCompiler.isOne(of: $0.subtree, "Z_ENT"))" } ?? ""
      found[name] = try connection.integer(
        """
        SELECT count(*) FROM \(name: table) WHERE \(name: column) NOT NULL AND \(name: column) \
        NOT IN (SELECT Z_PK FROM \(name: target))\(isHolder)
        """)
    }
    for entity in layout.entities {
      for (name, column) in entity.toOne {
        guard let target = layout.entity(named: column.destination)?.table else { continue }
        try count("\(entity.name).\(name)", entity.table, column.column, target, of: entity)
      }
      for (name, toMany) in entity.toMany {
        switch toMany {
        case .column(let key):
          try count(
            "\(entity.name).\(name)", key.table, key.column, entity.table,
            of: layout.entity(named: key.destination))
        case .joinTable(let join):
          guard let target = layout.entity(named: join.destination)?.table else { continue }
          try count("\(entity.name).\(name)", join.table, join.destinationColumn, target)
        }
      }
    }
    return found
  }

  /// Returns the number of rows of each table, and values that differ after any row changes.
  private static func fingerprints(
    of layout: StoreLayout, on connection: Connection
  ) throws -> [String: [SQLiteValue]] {
    let tables =
      layout.tables.map { ($0.name, [FixedColumn.primaryKey, FixedColumn.version]) }
      + layout.joinTables.map { ($0.name, $0.primaryKey) }
    var prints: [String: [SQLiteValue]] = [:]
    for (table, columns) in tables {
      let sums = columns.map { column -> SQL in "total(\(name: column))" }.joined(", ")
      prints[table] = try connection.rows("SELECT count(*), \(sums) FROM \(name: table)").first
    }
    return prints
  }
}
