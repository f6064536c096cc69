import SQLiteAccess
import StoreDiagnostics
import StoreLayout

/// The tables, columns, views and triggers of a store's file that aren't required by its model or by Core Data.
package struct OtherContent: Hashable, Sendable {
  /// Ordinary tables, including the shadow tables of virtual tables.
  package var tables: [String] = []
  package var virtualTables: [String] = []
  package var views: [String] = []
  package var triggers: [String] = []
  /// The columns outside of the model, by table.
  package var columns: [String: [String]] = [:]
  /// Tables of `NSPersistentCloudKitContainer`, which contain names and encoded records from the owner's iCloud.
  package var cloudTables: [String] = []

  package init() {}

  init(of schema: DatabaseSchema, besides layout: StoreLayout) {
    let own =
      (layout.tables.map(\.name) + layout.joinTables.map(\.name) + SchemaSnapshot.ownTables
      + layout.rTrees.flatMap(\.tableNames)).exact
    let names = schema.tables.keys.filter { name in
      !own.contains(ExactText(name)) && !name.hasPrefix("sqlite_")
    }.sorted()
    cloudTables = names.filter { $0.hasPrefix(CloudTables.prefix) }
    tables = names.filter { !$0.hasPrefix(CloudTables.prefix) }
    virtualTables = schema.virtualTables.keys.filter { !own.contains(ExactText($0)) }.sorted()
    views = schema.standIns.filter { $0.value == .view }.keys.sorted()
    triggers = schema.triggers.foreign.map(\.name)
    let columns =
      layout.tables.map { ($0.name, $0.columns) } + layout.joinTables.map { ($0.name, $0.columns) }
    for (table, known) in columns {
      let known = known.map(\.name).exact
      let others =
        schema.tables[table]?.columnNames.filter { !known.contains(ExactText($0)) } ?? []
      if !others.isEmpty { self.columns[table] = others }
    }
  }

  /// Whether the content can contain values, apart from CloudKit's tables, which are emptied.
  package var holdsValues: Bool { !tables.isEmpty || !virtualTables.isEmpty || !columns.isEmpty }

  /// The tables and columns in words, such as `the table NOTES, the virtual table SEARCH, the column ZOLD of ZPERSON`.
  package var listed: String {
    let shadows = tables.filter { table in virtualTables.contains { table.hasPrefix("\($0)_") } }
    return
      (virtualTables.map { "the virtual table \($0)" }
      + tables.filter { !shadows.contains($0) }.map { "the table \($0)" }
      + columns.sorted { $0.key < $1.key }.flatMap { table, names in
        names.map { "the column \($0) of \(table)" }
      }).joined(separator: ", ")
  }
}
