import Foundation
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Opens a store whose model is generated Swift source.
  ///
  ///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
  ///
  /// - Parameters:
  ///   - path: the file of the store.
  ///   - model: the generated model.
  ///   - options: the options of requests.
  /// - Throws: `StoreError`: `notFound`, `notAStore`, `unknownVersion`, `unsupportedStore`, `locked`, `inputOutput`,
  ///   `damaged`.
  public static func open(
    _ path: String, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path, schemas: [schema], options: options)
  }

  /// Opens a store that was written by one of several versions, which becomes `model`.
  ///
  /// - Parameters:
  ///   - path: the file of the store.
  ///   - schemas: the generated models of the versions.
  ///   - options: the options of requests.
  /// - Throws: `StoreError`: `notFound`, `notAStore`, `unknownVersion`, `unsupportedStore`, `locked`, `inputOutput`,
  ///   `damaged`.
  public static func open(
    _ path: String, schemas: [any SchemaModel.Type], options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path, models: schemas.map { $0.model }, options: options)
  }

  /// Creates an empty store in Core Data's layout, and opens it.
  ///
  /// - Parameters:
  ///   - path: the file of the store, which must not exist.
  ///   - schema: the generated model.
  ///   - options: the options of requests.
  /// - Throws: `StoreError`: `exists`, `notFound` for a missing folder, `inputOutput`.
  public static func create(
    _ path: String, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    let model = schema.model
    try await create(path, for: model)
    return try await open(path, models: [model], options: options)
  }

  /// Opens a store. If it doesn't exist, creates an empty store first.
  ///
  ///     let store = try await PersistentStore.openOrCreate("Shop.sqlite", schema: ShopModel.self)
  ///
  /// - Parameters:
  ///   - path: the file of the store.
  ///   - schema: the generated model.
  ///   - options: the options of requests.
  /// - Throws: `StoreError`: `notAStore`, `unknownVersion`, `unsupportedStore`, `locked`, `inputOutput`, `damaged`.
  public static func openOrCreate(
    _ path: String, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await openOrCreate(path, for: schema) {
      try await open(path, schema: schema, options: options)
    }
  }

  /// - Parameter open: opens the store. It is called again after a missing store is created.
  package static func openOrCreate(
    _ path: String, for schema: any SchemaModel.Type, open: () async throws -> PersistentStore
  ) async throws -> PersistentStore {
    do {
      return try await open()
    } catch let failure as StoreError where failure.reason == .notFound {
      do {
        try await create(path, for: schema.model)
      } catch let failure as StoreError where failure.reason == .exists {
        // Another program has created it in the meantime.
      }
      return try await open()
    }
  }
}

extension SchemaModel {
  /// The version hashes in base64 by entity, like in the metadata of a store. The source that `storetool generate`
  /// writes contains them. With the plugin's source, each access computes them.
  public static var versionHashes: [String: String] {
    VersionHash.hashes(of: model).mapValues { Data($0).base64EncodedString() }
  }
}
