public import Foundation
public import StoreDiagnostics
public import StoreModel

// Functions that take a file URL in place of a path.
extension PersistentStore {
  /// The file URL of the store.
  public var url: URL { URL(fileURLWithPath: path) }

  /// Opens a store at a file URL with the model of generated Swift types.
  ///
  /// - Parameters:
  ///   - url: the file URL of the store.
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` if the model didn't write the
  ///   store, `unsupportedStore`, `locked`, `readOnly`, `inputOutput`, or `damaged`.
  public static func open(
    _ url: URL, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path(of: url), schema: schema, options: options)
  }

  /// Opens a store at a file URL that one of several model versions wrote. This version becomes `model`.
  ///
  /// - Parameters:
  ///   - url: the file URL of the store.
  ///   - schemas: the generated models of the versions.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` if none of the models wrote the
  ///   store, `unsupportedStore`, `locked`, `readOnly`, `inputOutput`, or `damaged`.
  public static func open(
    _ url: URL, schemas: [any SchemaModel.Type], options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path(of: url), schemas: schemas, options: options)
  }

  /// Opens a store at a file URL that one of several models wrote. This model becomes `model`.
  ///
  /// - Parameters:
  ///   - url: the file URL of the store.
  ///   - models: the versions that may have written the store.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` if none of the models wrote the
  ///   store, `unsupportedStore`, `locked`, `readOnly`, `inputOutput`, or `damaged`.
  public static func open(
    _ url: URL, models: [DataModel], options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path(of: url), models: models, options: options)
  }

  /// Opens a store at a file URL. Creates an empty store if the file doesn't exist.
  ///
  /// - Parameters:
  ///   - url: the file URL of the store.
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound` if the folder doesn't exist, `notAStore`, `unknownVersion` if
  ///   the model didn't write the store, `unsupportedStore`, `locked`, `readOnly`, `inputOutput`, or `damaged`.
  public static func openOrCreate(
    _ url: URL, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await openOrCreate(path(of: url), schema: schema, options: options)
  }

  /// Creates an empty store in Core Data's layout at a file URL, and opens it.
  ///
  /// - Parameters:
  ///   - url: the file URL of the new store.
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `exists`, `notFound` if the folder doesn't exist, or `inputOutput`.
  public static func create(
    _ url: URL, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await create(path(of: url), schema: schema, options: options)
  }

  /// Creates an empty store in Core Data's layout at a file URL, without opening it.
  ///
  /// - Parameters:
  ///   - url: the file URL of the new store.
  ///   - model: the model of the store.
  ///   - settings: the history, the journal and the page size of the store.
  /// - Returns: notes about features of the model that haven't been verified with a store of Core Data.
  /// - Throws: `StoreError` with the reason `exists` if the file exists, `notFound` if the folder doesn't exist,
  ///   `invalidRequest` if SQLite doesn't support the page size, or `inputOutput`.
  @discardableResult
  public static func create(
    _ url: URL, for model: DataModel, settings: NewStoreSettings = NewStoreSettings()
  ) async throws -> [DiagnosticMessage] {
    try await create(path(of: url), for: model, settings: settings)
  }

  /// - Throws: `StoreError` if the URL doesn't refer to a file.
  package static func path(of url: URL) throws -> String {
    guard url.isFileURL else {
      throw StoreError(
        .notAStore, "store.url", "'\(url)' isn't a file URL", cause: .usage,
        help: ["create the URL with 'URL(filePath:)'"])
    }
    return url.path(percentEncoded: false)
  }
}
