import StoreDiagnostics
package import RecordFormats
import SampleData
package import SQLiteAccess
package import StoreCore
package import StoreImport
package import StoreLayout
package import StoreModel
import TestSupport

/// A store on disk, with imports and exports of JSON.
package struct GraphStore {
  package let file: StoreFixture
  package let store: Store
  package let layout: StoreLayout

  package init(_ model: DataModel = GraphModel.model) throws {
    file = try StoreFixture(model, name: "Graph.sqlite")
    store = try Store.open(LocalPath(file.path), .writing)
    layout = try store.layout(for: model)
  }

  package init(reopening file: StoreFixture, _ model: DataModel) throws {
    self.file = file
    store = try Store.open(LocalPath(file.path), .writing)
    layout = try store.layout(for: model)
  }

  /// Opens the same file again.
  package init(reopening other: GraphStore) throws {
    file = other.file
    store = try Store.open(LocalPath(other.file.path), .writing)
    layout = other.layout
  }

  /// Opens a copy of another store.
  package init(opening path: String, beside other: GraphStore) throws {
    file = other.file
    store = try Store.open(LocalPath(path), .writing)
    layout = other.layout
  }

  @discardableResult
  package func importing(
    _ text: String, entity: String? = nil, map: [String] = [], root: [String] = [],
    strict: Bool = false, as format: RecordFormat = .json
  ) throws -> GraphImport.Result {
    let work = try GraphImport(
      into: layout, store: store.metadata.uuid, entity: entity,
      rules: map.compactMap { ImportRule($0) }, root: root, isStrict: strict)
    let source = MemorySource(Array(text.utf8), name: "in.json")
    return try store.write { try work.run(source, format: format, on: $0) }
  }

  package func exported(_ entities: [String] = [], as format: RowFormat = .ndjson) throws -> String
  {
    let export = try Export(of: entities, in: layout, as: format)
    let sink = ByteCollector()
    let context = RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder))
    try store.read { try export.write(from: $0, context, to: sink) }
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  /// Returns a line for each row of `rows("SELECT …")`, such as `1 NULL 'text'`.
  package func rows(_ sql: SQL) throws -> [String] {
    try store.read { try $0.rows(sql) }.map { $0.map(\.shown).joined(separator: " ") }
  }

  /// Returns every row of every table except the metadata.
  package func dump() throws -> [String] {
    let names = layout.tables.map(\.name) + layout.joinTables.map(\.name) + ["Z_PRIMARYKEY"]
    return try names.flatMap { name in
      let columns =
        layout.tables.first { $0.name == name }?.columns
        ?? layout.joinTables.first { $0.name == name }?.columns ?? []
      let list = columns.isEmpty ? "*" : columns.map { SQL.name($0.name) }.joined(", ")
      return try rows("SELECT \(list) FROM \(name: name) ORDER BY 1, 2").map { "\(name) \($0)" }
    }
  }
}
