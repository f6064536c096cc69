/// One version of a model as generated Swift source: what a program opens a store with.
///
///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
public protocol SchemaModel: Sendable {
  static var model: Model { get }
}

/// The current version of a model as generated Swift source, with all its versions: what a program migrates stores
/// with. The plugin writes it where `storetool-generate.json` asks for all versions.
///
///     let store = try await PersistentStore.open(
///       "Shop.sqlite", schema: ShopModel.self, migrating: .automatically)
public protocol VersionedSchemaModel: SchemaModel {
  /// Older ones first; the current one among them.
  static var versions: [any SchemaModel.Type] { get }
  /// Between versions where what becomes of rows can't be inferred.
  static var migrations: [MigrationDefinition] { get }
}

/// The fetch-request templates of models as functions: `storetool generate` adds one for each.
///
///     try await store.fetch(Templates.peopleFR(name: "Ray"))
public enum Templates {}
