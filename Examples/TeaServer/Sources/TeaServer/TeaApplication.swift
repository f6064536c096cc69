import Hummingbird
import Logging
import NIOCore
import StoreEngine
import StoreObservation

/// What differs between one running server and another.
struct Settings {
  /// Where the stores are.
  var folder: String
  var address: BindAddress
  /// In bytes.
  var uploadLimit = 100 << 20
}

/// The server as a whole: two stores, each a service of its own, and the routes that use them.
///
/// - Parameter onServerRunning: is told when the server listens, and where.
func teaApplication(
  _ settings: Settings, logger: Logger,
  onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
  let telemetry = StoreTelemetry(logger: logger, slowAfter: .milliseconds(250))
  let options = PersistentStore.Options(turnTimeout: .seconds(10), observer: telemetry)
  let todo = StoreService(
    "Todo", in: settings.folder, schema: TodoModel.self, options: options, logger: logger)
  let bubbleTea = StoreService(
    "BubbleTea", in: settings.folder, schema: BubbleTeaModel.self, options: options, logger: logger)
  let uploads = Uploads(limit: settings.uploadLimit)

  let router = Router()
  router.add(middleware: StoreErrors())
  router.addRoutes(ItemRoutes(todo: todo, uploads: uploads).routes, atPath: "/items")
  router.addRoutes(VenueRoutes(bubbleTea: bubbleTea, uploads: uploads).routes, atPath: "/venues")
  router.addRoutes(HealthRoute(stores: [todo, bubbleTea]).routes, atPath: "/health")

  // Services stop in the opposite order: the stores are closed when the last request is answered.
  return Application(
    router: router,
    configuration: ApplicationConfiguration(address: settings.address, serverName: "TeaServer"),
    services: [todo, bubbleTea], onServerRunning: onServerRunning, logger: logger)
}
