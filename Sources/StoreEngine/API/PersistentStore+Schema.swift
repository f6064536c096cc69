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
}
