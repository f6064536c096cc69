import Hummingbird

/// `GET /health`: 200 when all stores are open, otherwise 503. The body contains the status of each store.
struct HealthRoute: Sendable {
  let stores: [StoreService]

  var routes: RouteCollection<BasicRequestContext> {
    RouteCollection().get(use: health)
  }

  @Sendable private func health(
    _: Request, _: BasicRequestContext
  ) -> EditedResponse<[String: String]> {
    let states = Dictionary(uniqueKeysWithValues: stores.map { ($0.name, $0.status) })
    return EditedResponse(
      status: stores.allSatisfy(\.isOpen) ? .ok : .serviceUnavailable, response: states)
  }
}
