public import Observation
public import StoreModel
import Synchronization

/// The rows of a query for a user interface, which are updated while the store changes.
///
///     @State private var teas = ObservedList(Tea.all.ordered(by: \.name), in: store)
///     var body: some View { List(teas.rows) { Text($0.name) } }
///
/// Code that reads `rows` within `withObservationTracking`, or in the body of a SwiftUI view, is notified of changes.
/// The list starts to follow the store when `rows`, `isLoaded` or `error` is read for the first time. It ends when it
/// is released or the store is closed. Creating a list doesn't read the store, so a view can create one in each update.
@MainActor @Observable public final class ObservedList<Object: StoredObject> {
  /// The rows in the order of the query. They are empty until the first read has ended.
  public var rows: [Stored<Object>] {
    start()
    return currentRows
  }

  /// Whether `rows` are the result of `query`. It is `false` until the first read of the query has ended.
  public var isLoaded: Bool {
    start()
    return areCurrent
  }

  /// The error that ended the updates, or `nil`. A new `query` begins again.
  public var error: (any Error)? {
    start()
    return failure
  }

  /// The query. A new query replaces the rows when its first read has ended.
  public var query: TypedQuery<Object> {
    didSet {
      guard query != oldValue, hasStarted else { return }
      (areCurrent, failure) = (false, nil)
      follow()
    }
  }

  private var currentRows: [Stored<Object>] = []
  private var areCurrent = false
  private var failure: (any Error)?
  @ObservationIgnored private var hasStarted = false
  @ObservationIgnored private let store: PersistentStore
  @ObservationIgnored private let updates = OwnedTask()

  /// Creates a list without reading its rows.
  ///
  /// - Parameters:
  ///   - query: the rows and their order.
  ///   - store: the store that contains the rows.
  public init(_ query: TypedQuery<Object>, in store: PersistentStore) {
    self.query = query
    self.store = store
  }

  private func start() {
    guard !hasStarted else { return }
    hasStarted = true
    follow()
  }

  private func follow() {
    updates.replace(
      with: Task { [weak self, store, query] in
        do {
          for try await rows in store.values(of: query) {
            // The query may have been replaced while these rows were read.
            guard let self, !Task.isCancelled else { return }
            (currentRows, areCurrent) = (rows, true)
          }
        } catch {
          if !Task.isCancelled { self?.failure = error }
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
