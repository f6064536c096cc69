import Foundation
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Opens a store whose model is generated Swift source.
  ///
  ///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
  ///
  /// - Throws: as `open(_:models:options:)`.
  public static func open(
    _ path: String, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path, schemas: [schema], options: options)
  }

  /// Opens a store that one of several versions wrote; it becomes `model`.
  ///
  /// - Throws: as `open(_:models:options:)`.
  public static func open(
    _ path: String, schemas: [any SchemaModel.Type], options: Options = Options()
  ) async throws -> PersistentStore {
    try await open(path, models: schemas.map { $0.model }, options: options)
  }

  /// Makes an empty store in Core Data's layout, and opens it.
  ///
  /// - Throws: as `create(_:for:)` and `open(_:models:options:)`.
  public static func create(
    _ path: String, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    let model = schema.model
    try await create(path, for: model)
    return try await open(path, models: [model], options: options)
  }

  /// Opens a store, an empty one that it makes where there is none.
  ///
  ///     let store = try await PersistentStore.openOrCreate("Shop.sqlite", schema: ShopModel.self)
  ///
  /// - Throws: as `open(_:models:options:)` and `create(_:for:)`.
  public static func openOrCreate(
    _ path: String, schema: any SchemaModel.Type, options: Options = Options()
  ) async throws -> PersistentStore {
    try await openOrCreate(path, for: schema) {
      try await open(path, schema: schema, options: options)
    }
  }

  /// - Parameter open: is run again where the store was missing and is made.
  package static func openOrCreate(
    _ path: String, for schema: any SchemaModel.Type, open: () async throws -> PersistentStore
  ) async throws -> PersistentStore {
    do {
      return try await open()
    } catch let failure as StoreError where failure.reason == .notFound {
      do {
        try await create(path, for: schema.model)
      } catch let failure as StoreError where failure.reason == .exists {
        // Another program has made it meanwhile.
      }
      return try await open()
    }
  }
}

extension SchemaModel {
  /// Entity to version hash in base64, as a store's metadata holds them. Worked out anew each time where
  /// the generated source does not have them: `storetool generate` writes them, the plugin does not.
  public static var versionHashes: [String: String] {
    VersionHash.hashes(of: model).mapValues { Data($0).base64EncodedString() }
  }
}
