import Hummingbird
import StoreModel
import StorePredicate

// Clients know rows by the number that an object ID ends with: `x-coredata://…/Item/p7` is `/items/7`.
extension TypedObjectID {
  var number: Int64 { objectID.primaryKey }

  /// The row that a path names.
  ///
  /// - Throws: `HTTPError` with 400 for what is no number.
  init(_ context: some RequestContext) throws {
    let number = try context.parameters.require("id", as: Int64.self)
    let id = ObjectID(store: nil, entity: Object.entityName, primaryKey: number)
    guard let typed = Self(id) else { throw HTTPError(.badRequest) }
    self = typed
  }
}
