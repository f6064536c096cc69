import StoreDiagnostics
import Foundation
import SampleData
import StoreModel
import StorePredicate
import StoreTestSupport
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout
@testable import StoreVerification

/// Copies of one store, each altered differently.
struct AlteredStore {
  let base: StoreFixture
  let model: DataModel

  /// - Parameter records: the records that the store contains.
  init(_ model: DataModel, _ records: String = "", history: Bool = false) throws {
    self.model = model
    let graph = try GraphStore(model)
    try graph.importing(records)
    try graph.store.close()
    if history { try graph.file.keepHistory() }
    base = graph.file
  }

  /// - Returns: the altered copy, in its own folder.
  func altered(_ sql: String) throws -> Copy {
    let folder = try TemporaryFolder()
    let path = folder.path("Graph.sqlite")
    try FileManager.default.copyItem(atPath: base.path, toPath: path)
    let file = Copy(folder: folder, path: path, model: model)
    try file.edit(sql)
    return file
  }

  struct Copy {
    let folder: TemporaryFolder
    let path: String
    let model: DataModel

    func edit(_ sql: String) throws {
      let shell = try Store.connect(
        DatabaseFile.Opening(uri: DatabaseFile.uri(LocalPath(path), ["mode=rw"])),
        path: LocalPath(path), .writing)
      try shell.use { try $0.runScript(sql) }
      try shell.close()
    }

    func reading() throws -> (Store, StoreLayout) { try opened(.reading) }
    func writing() throws -> (Store, StoreLayout) { try opened(.writing) }

    private func opened(_ access: Store.Access) throws -> (Store, StoreLayout) {
      let store = try Store.open(LocalPath(path), access)
      return (store, try store.readableLayout(for: model))
    }

    /// Returns findings such as `error verify.missing-table the table ZTHING is missing`.
    func findings() throws -> [String] {
      let store = try Store.open(LocalPath(path), .reading)
      return try store.verify(in: store.layout(for: model)).map {
        "\($0.severity) \($0.code) \($0.message)"
      }.filter { !$0.contains("verify.wrong-sum") }
    }

    @discardableResult
    func insert(_ record: String, into entity: String, on policy: ConflictPolicy = .fail) throws
      -> InsertResult
    {
      let (store, layout) = try writing()
      return try store.insert(
        MemorySource(Array(record.utf8), name: "in.json"), format: .json,
        by: InsertPlan(entity: entity, in: layout), in: layout, on: policy, validates: false)
    }

    @discardableResult
    func importing(_ records: String) throws -> GraphImport.Result {
      let (store, layout) = try writing()
      let work = try GraphImport(
        into: layout, store: store.metadata.uuid, entity: nil, rules: [], root: [],
        isStrict: false)
      return try store.write { try work.run(MemorySource(Array(records.utf8), name: "in"), on: $0) }
    }

    func exported() throws -> String {
      let (store, layout) = try reading()
      let sink = ByteCollector()
      let context = RowContext(
        layout: layout, store: store.metadata.uuid,
        externalFolder: ExternalFolder(path: store.externalDataFolder))
      try store.read {
        try Export(of: [], in: layout, as: .ndjson).write(from: $0, context, to: sink)
      }
      return String(decoding: sink.bytes, as: UTF8.self)
    }

    func deleteAll(_ entity: String) throws {
      let (store, layout) = try writing()
      _ = try store.delete(BatchDelete(entity: entity).plan(in: layout), in: layout)
    }

    func update(_ entity: String, set property: String, to value: StorePredicate.DataValue) throws {
      let (store, layout) = try writing()
      let update = BatchUpdate(entity: entity, values: [.init(property, .value(value))])
      _ = try store.update(by: update.plan(in: layout, storeUUID: nil), in: layout)
    }
  }
}

/// Returns the `StoreLayoutError` that `body` throws, if any.
func storeError(_ body: () throws -> Void) -> StoreLayoutError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreLayoutError
  }
}
