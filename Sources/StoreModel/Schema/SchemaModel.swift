/// One version of a model as generated Swift source: what a program opens a store with.
///
///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
public protocol SchemaModel: Sendable {
  static var model: Model { get }
}
