import Hummingbird
import Logging
import NIOCore
import StoreEngine
import StoreObservation

/// The settings of a server.
struct Settings {
  /// The folder with the stores.
  var folder: String
  var address: BindAddress
  /// The maximum size of an upload in bytes.
  var uploadLimit = 100 << 20
}

/// Creates the server with a service for each of its two stores, and the routes that use them.
///
/// - Parameter onServerRunning: Receives the channel when the server listens for connections.
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

  // Services stop in reverse order, so the stores are closed after the last request is answered.
  return Application(
    router: router,
    configuration: ApplicationConfiguration(address: settings.address, serverName: "TeaServer"),
    services: [todo, bubbleTea], onServerRunning: onServerRunning, logger: logger)
}
