import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import StoreMigration
import Synchronization

/// A service that opens a store when the server starts, and closes it when the server shuts down. A store of an older
/// version is migrated first.
///
/// The server already answers requests for other stores while this store is being opened.
final class StoreService: Service {
  private enum State {
    case opening(String)
    case open(PersistentStore)
    case closed
  }

  let name: String
  private let path: String
  private let schema: any VersionedSchemaModel.Type
  private let options: PersistentStore.Options
  private let logger: Logger
  private let state = Mutex(State.opening("begins"))

  init(
    _ name: String, in folder: String, schema: any VersionedSchemaModel.Type,
    options: PersistentStore.Options, logger: Logger
  ) {
    self.name = name
    path = URL(filePath: folder).appending(path: "\(name).sqlite").path
    self.schema = schema
    self.options = options
    self.logger = logger
  }

  /// The open store.
  ///
  /// - Throws: `HTTPError` with status 503 before the store is open and after it is closed.
  var store: PersistentStore {
    get throws {
      switch state.withLock({ $0 }) {
      case .open(let store): return store
      case .opening(let work):
        throw HTTPError(
          .serviceUnavailable, headers: [.retryAfter: "1"],
          message: "the store '\(name)' is being opened: \(work)")
      case .closed:
        throw HTTPError(.serviceUnavailable, message: "the server is shutting down")
      }
    }
  }

  /// The state of the store, for people.
  var status: String {
    switch state.withLock({ $0 }) {
    case .open: "open"
    case .opening(let work): "being opened: \(work)"
    case .closed: "closed"
    }
  }

  /// Whether the store accepts requests.
  var isOpen: Bool {
    if case .open = state.withLock({ $0 }) { true } else { false }
  }

  func run() async throws {
    // An interrupted migration is rolled back. The next start of the server repeats it.
    guard let store = try await cancelWhenGracefulShutdown({ try await self.open() }) else {
      return
    }
    state.withLock { $0 = .open(store) }
    logger.info("\(name) is open")
    do {
      try await gracefulShutdown()
    } catch is CancellationError {
      // Another service has failed. The store is closed in this case, too.
    }
    state.withLock { $0 = .closed }
    try await store.close()
    logger.info("\(name) is closed")
  }

  /// Opens the store. Returns nil if the server shuts down before the store is open.
  private func open() async throws -> PersistentStore? {
    do {
      return try await PersistentStore.openOrCreate(
        path, schema: schema, migrating: .automatic, options: options
      ) { [self] phase in
        state.withLock { $0 = .opening("\(phase)") }
      }
    } catch is CancellationError {
      return nil
    } catch {
      logger.critical("\(name) can't be opened: \(error)")
      throw error
    }
  }
}
