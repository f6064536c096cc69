/// One version of a model as generated Swift source: what a program opens a store with.
///
///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
public protocol SchemaModel: Sendable {
  static var model: Model { get }
  /// Entity to version hash in base64, as the store's metadata holds them.
  static var versionHashes: [String: String] { get }
}
