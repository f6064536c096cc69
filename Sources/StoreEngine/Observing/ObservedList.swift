public import Observation
public import StoreModel
import Synchronization

/// The rows of a query for a user interface, which are updated while the store changes.
///
///     @State private var teas = ObservedList(Tea.all.ordered(by: \.name), in: store)
///     var body: some View { List(teas.rows) { Text($0.name) } }
///
/// Code that reads `rows` within `withObservationTracking`, or in the body of a SwiftUI view, is notified of changes.
/// The list follows the store until it is released or the store is closed.
@MainActor @Observable public final class ObservedList<Object: StoredObject> {
  /// The rows in the order of the query. They are empty until the first read has ended.
  public private(set) var rows: [Stored<Object>] = []
  /// Whether `rows` are the result of `query`. It is `false` until the first read of the query has ended.
  public private(set) var isLoaded = false
  /// The error that ended the updates, or `nil`. A new `query` begins again.
  public private(set) var error: (any Error)?
  /// The query. A new query replaces the rows when its first read has ended.
  public var query: TypedQuery<Object> {
    didSet { if query != oldValue { follow() } }
  }

  @ObservationIgnored private let store: PersistentStore
  @ObservationIgnored private let updates = OwnedTask()

  /// Creates a list and starts to read its rows.
  ///
  /// - Parameters:
  ///   - query: the rows and their order.
  ///   - store: the store that contains the rows.
  public init(_ query: TypedQuery<Object>, in store: PersistentStore) {
    self.query = query
    self.store = store
    follow()
  }

  private func follow() {
    (isLoaded, error) = (false, nil)
    updates.replace(
      with: Task { [weak self, store, query] in
        do {
          for try await rows in store.values(of: query) {
            // The query may have been replaced while these rows were read.
            guard let self, !Task.isCancelled else { return }
            (self.rows, isLoaded) = (rows, true)
          }
        } catch {
          if !Task.isCancelled { self?.error = error }
        }
      })
  }
}

/// A task that is cancelled when it is replaced or released.
private final class OwnedTask: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  deinit { replace(with: nil) }

  func replace(with new: Task<Void, Never>?) {
    task.withLock { task in
      task?.cancel()
      task = new
    }
  }
}
