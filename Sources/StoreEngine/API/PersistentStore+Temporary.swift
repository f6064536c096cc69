import SQLiteAccess
import StoreCore
import StoreDiagnostics
public import StoreModel

extension PersistentStore {
  /// Creates and opens an empty store for a test or a preview. Its files are in a new folder among the temporary files
  /// of the system. The folder is removed when the store is closed or released.
  ///
  ///     let store = try await PersistentStore.temporary(schema: ShopModel.self)
  ///
  /// The store behaves like any other store, but it isn't durable: writes don't wait for the disk.
  ///
  /// - Parameters:
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests. `isReadOnly` is ignored.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `inputOutput` if the folder can't be created, or `invalidRequest` if SQLite
  ///   doesn't support the page size.
  public static func temporary(
    schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await temporary(for: schema.model, options: options)
  }

  /// Creates and opens an empty store of a model for a test or a preview. Its files are in a new folder among the
  /// temporary files of the system. The folder is removed when the store is closed or released.
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - options: timeouts, concurrency and observation of requests. `isReadOnly` is ignored.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `inputOutput` if the folder can't be created, or `invalidRequest` if SQLite
  ///   doesn't support the page size.
  public static func temporary(
    for model: DataModel, options: Options = Options()
  ) async throws -> PersistentStore {
    var options = options
    options.isReadOnly = false
    let folder: TemporaryStoreFolder
    do {
      folder = try TemporaryStoreFolder()
    } catch {
      throw StoreError.translating(error)
    }
    let path: LocalPath = "\(folder.path)/\(model.name.isEmpty ? "Store" : model.name).sqlite"
    try await create(path, for: model, settings: options.newStore)
    return try await open(path, model: model, options, in: folder)
  }
}
