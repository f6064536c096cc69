import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import StoreEngine
import StoreMigration
import StoreModel
import Synchronization

/// A store that is opened when the server starts, migrated first where an older server has left it, and closed when
/// the server stops.
///
/// It is opened beside the server, which answers requests for other stores meanwhile.
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

  /// The store, for one request.
  ///
  /// - Throws: `HTTPError` with 503 before it is open and after it is closed.
  var store: PersistentStore {
    get throws {
      switch state.withLock({ $0 }) {
      case .open(let store): return store
      case .opening(let work):
        throw HTTPError(
          .serviceUnavailable, headers: [.retryAfter: "1"],
          message: "the store '\(name)' is being opened: \(work)")
      case .closed:
        throw HTTPError(.serviceUnavailable, message: "the server stops")
      }
    }
  }

  /// What the store is doing, in a word or some.
  var status: String {
    switch state.withLock({ $0 }) {
    case .open: "open"
    case .opening(let work): "being opened: \(work)"
    case .closed: "closed"
    }
  }

  /// Whether requests are answered.
  var isOpen: Bool {
    if case .open = state.withLock({ $0 }) { true } else { false }
  }

  func run() async throws {
    // A migration that is stopped is rolled back; the next start begins it anew.
    guard let store = try await cancelWhenGracefulShutdown({ try await self.open() }) else {
      return
    }
    state.withLock { $0 = .open(store) }
    logger.info("\(name) is open")
    do {
      try await gracefulShutdown()
    } catch is CancellationError {
      // Another service has failed: the store is closed all the same.
    }
    state.withLock { $0 = .closed }
    try await store.close()
    logger.info("\(name) is closed")
  }

  /// Nil when the server is stopped meanwhile.
  private func open() async throws -> PersistentStore? {
    do {
      return try await PersistentStore.openOrCreate(
        path, schema: schema, migrating: .automatically, options: options
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
