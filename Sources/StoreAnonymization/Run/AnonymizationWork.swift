#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel

/// The statements that anonymize a copy of a store. They require a write transaction.
struct AnonymizationWork {
  let plan: AnonymizationPlan
  let layout: StoreLayout
  let settings: Anonymization.Settings
  let metadata: StoreMetadata
  let progress: (Anonymization.Phase) -> Void

  /// - Throws: `AnonymizationError`, `StoreLayoutError`, `DatabaseError`, `ExternalValueMissing`
  func run(
    on connection: Connection, _ files: ReplacedFiles, _ result: inout AnonymizationResult
  ) throws {
    let function = FieldFunction(plan.fields, files)
    try function.register(on: connection)
    let triggers = try connection.triggers()
    for trigger in triggers { try connection.run("DROP TRIGGER \(name: trigger.name)") }
    if settings.otherContent == .drop { try dropOther(on: connection) }
    try forgetHistory(on: connection, &result)
    for table in plan.other.cloudTables {
      result.cloudTables[table] = Int64(try connection.run("DELETE FROM \(name: table)"))
    }
    for table in try connection.tableNames().filter(Self.samples.contains) {
      try connection.run("DELETE FROM \(name: table)")
    }
    for table in plan.tables where !table.isEmpty {
      progress(.replacing(table.updates[0].entity.root))
      try run(table, function, on: connection)
    }
    try clearOtherColumns(on: connection)
    result.clearedDerived = try layout.computeDerivedValues(
      connection.schema(), storeUUID: metadata.uuid, on: connection)
    try remakeRTrees(on: connection)
    for trigger in triggers where trigger.isOfCoreData || settings.otherContent != .drop {
      try connection.define(SQL(segments: [.text(trigger.definition)]))
    }
    try writeMetadata(on: connection, &result)
  }

  /// SQLite's tables with samples of the keys in indexes: https://www.sqlite.org/fileformat2.html#stat4tab.
  private static let samples: Set = ["sqlite_stat3", "sqlite_stat4"]

  private func run(
    _ table: TableReplacement, _ function: FieldFunction, on connection: Connection
  ) throws {
    do {
      try table.run(on: connection)
    } catch {
      if let failure = function.failure { throw failure }
      switch error {
      case .constraint(_, let words): throw AnonymizationError.notUnique(words: words)
      case .unfitValue(_, let words): throw AnonymizationError.unfitValue(words)
      default: throw error
      }
    }
  }

  /// Creates the R-trees again. They contain copies of old values, because the triggers that update them were dropped.
  private func remakeRTrees(on connection: Connection) throws(DatabaseError) {
    let present = try connection.databaseSchema().virtualTables
    for tree in layout.rTrees where present[tree.name] != nil { try connection.makeRTree(tree) }
  }

  // MARK: Content outside of the model

  /// Drops views first, because they would become invalid, then virtual tables, which also drops their shadow tables.
  private func dropOther(on connection: Connection) throws {
    for view in plan.other.views { try connection.run("DROP VIEW \(name: view)") }
    for table in plan.other.virtualTables { try drop(table, on: connection) }
    for table in plan.other.tables where try connection.hasTable(table) {
      try drop(table, on: connection)
    }
  }

  private func drop(_ table: String, on connection: Connection) throws {
    do {
      try connection.run("DROP TABLE \(name: table)")
    } catch DatabaseError.sql(_, _, let words) {
      throw AnonymizationError.undroppable(table, words: words)
    }
  }

  /// Clears columns outside of the model in join tables. `TableReplacement` clears those in tables of entities.
  private func clearOtherColumns(on connection: Connection) throws {
    guard settings.otherContent == .drop else { return }
    for (table, columns) in plan.other.columns where layout.table(named: table) == nil {
      try connection.run("UPDATE \(name: table) SET \(SQL.clearing(columns))")
    }
  }

  /// Removes the history. The counters remain, so that history tokens aren't reused.
  private func forgetHistory(
    on connection: Connection, _ result: inout AnonymizationResult
  ) throws {
    var counts: [String: Int64] = [:]
    for table in HistoryTable.all where try connection.hasTable(table) {
      counts[table] = Int64(try connection.run("DELETE FROM \(name: table)"))
    }
    result.transactions = counts[HistoryTable.transactions] ?? 0
    result.changes = counts[HistoryTable.changes] ?? 0
  }

  private func writeMetadata(
    on connection: Connection, _ result: inout AnonymizationResult
  ) throws {
    var new = metadata
    if !settings.keepsMetadata {
      result.metadataKeys = metadata.applicationEntries.keys.sorted()
      for key in result.metadataKeys { new.entries[key] = nil }
    }
    if settings.givesNewIdentity {
      new.uuid = UUID().uuidString
      result.newIdentity = new.uuid
    }
    if new != metadata { try connection.setMetadata(new) }
  }
}

extension StoreLayout {
  /// Computes all derived attributes again, because they can depend on replaced values.
  ///
  /// - Returns: the names of attributes that can't be computed and become NULL.
  func computeDerivedValues(
    _ schema: StoreSchema, storeUUID: String, on connection: Connection
  ) throws(DatabaseError) -> [String] {
    let known = DerivedColumn.all(in: self, storeUUID: storeUUID)
      .filter { schema.hasColumn($0.column, in: $0.table) }
    for column in known { try connection.run(column.update(rows: nil)) }
    var cleared: [String] = []
    for entity in model.entities {
      for attribute in entity.attributes where !attribute.isTransient && attribute.derivation != nil
      {
        let isKnown = known.contains { $0.entity == entity.name && $0.attribute == attribute }
        guard !isKnown, let place = self.entity(named: entity.name),
          let column = place.attributes[attribute.name]?.column,
          schema.hasColumn(column, in: place.table)
        else { continue }
        try connection.run(
          """
          UPDATE \(name: place.table) SET \(name: column) = NULL \
          WHERE \(name: FixedColumn.entity) IN \(.list(place.subtree))
          """)
        cleared.append("\(entity.name).\(attribute.name)")
      }
    }
    return cleared
  }
}
