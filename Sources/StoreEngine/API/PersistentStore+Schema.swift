import Foundation
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Opens a store with the model of generated Swift types.
  ///
  ///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` if none of the models wrote the
  ///   store, `unsupportedStore`, `locked`, `inputOutput`, or `damaged`.
  public static func open(
    _ path: some FileLocation, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path, schemas: [schema], options: options)
  }

  /// Opens a store that one of several model versions wrote. This version becomes `model`.
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - schemas: the generated models of the versions.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` if none of the models wrote the
  ///   store, `unsupportedStore`, `locked`, `inputOutput`, or `damaged`.
  public static func open(
    _ path: some FileLocation, schemas: [any SchemaModel.Type], options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path, models: schemas.map { $0.model }, options: options)
  }

  /// Creates an empty store in Core Data's layout, and opens it.
  ///
  /// - Parameters:
  ///   - path: the path of the new store.
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `exists`, `notFound` if the folder doesn't exist, or `inputOutput`.
  public static func create(
    _ path: some FileLocation, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    let model = schema.model
    try await create(path, for: model, settings: options.newStore)
    return try await open(path, models: [model], options: options)
  }

  /// Opens a store. Creates an empty store if the file doesn't exist.
  ///
  ///     let store = try await PersistentStore.openOrCreate("Shop.sqlite", schema: ShopModel.self)
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - schema: the generated model.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound` if the folder doesn't exist, `notAStore`, `unknownVersion` if
  ///   none of the models wrote the store, `unsupportedStore`, `locked`, `inputOutput`, or `damaged`.
  public static func openOrCreate(
    _ path: some FileLocation, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await openOrCreate(path, for: schema, options) {
      try await open(path, schema: schema, options: options)
    }
  }

  /// - Parameter open: opens the store. It is called again after the store was created.
  package static func openOrCreate(
    _ path: some FileLocation, for schema: any SchemaModel.Type, _ options: Options,
    open: () async throws -> PersistentStore
  ) async throws -> PersistentStore {
    do {
      return try await open()
    } catch let failure as StoreError where failure.reason == .notFound && !options.isReadOnly {
      do {
        try await create(path, for: schema.model, settings: options.newStore)
      } catch let failure as StoreError where failure.reason == .exists {
        // Another program has just created it.
      }
      return try await open()
    }
  }
}

extension SchemaModel {
  /// The version hashes of the entities in base64, as in a store's metadata. They are computed on each access unless
  /// the generated source contains them. `storetool generate` writes them, and the build plugin doesn't.
  public static var versionHashes: [String: String] {
    VersionHash.hashes(of: model).mapValues { Data($0).base64EncodedString() }
  }
}
