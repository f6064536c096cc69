import Hummingbird
import StoreModel

// Paths contain the number at the end of an object ID: `x-coredata://…/Item/p7` is `/items/7`.
extension TypedObjectID {
  var number: Int64 { objectID.primaryKey }

  /// Creates the object ID from the number in a request's path.
  ///
  /// - Throws: `HTTPError` with status 400 if the path doesn't contain a number.
  init(_ context: some RequestContext) throws {
    let number = try context.parameters.require("id", as: Int64.self)
    let id = ObjectID(store: nil, entity: Object.entityName, primaryKey: number)
    guard let typed = Self(id) else { throw HTTPError(.badRequest) }
    self = typed
  }
}
