import Hummingbird

/// `GET /health`: 200 when all stores are open, else 503; and what each of them does.
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
