import SQLiteAccess

/// An observer of the requests of a store, for logs, metrics and traces. It is set in `PersistentStore.Options`.
///
/// The product `StoreObservation` contains an observer for swift-log, swift-metrics and swift-distributed-tracing.
public protocol StoreObserver: Sendable {
  /// Whether to report each SQL statement, which costs a microsecond per statement.
  var followsStatements: Bool { get }
  /// Whether to report the values of statements, which may be personal data.
  var showsValues: Bool { get }

  /// Creates the observer of a request. It is called in the task that makes the request, before the request waits for
  /// other requests.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - path: the path of the store.
  /// - Returns: the observer of this request, or `nil` to ignore the request.
  func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)?
}

extension StoreObserver {
  /// Whether to report each SQL statement. The default is `true`.
  public var followsStatements: Bool { true }
  /// Whether to report the values of statements. The default is `false`.
  public var showsValues: Bool { false }
}

/// An observer of one request.
public protocol RequestObserver: Sendable {
  /// Runs the request's work on a thread of the store, where the task-local values of the calling task aren't available
  /// unless this function sets them. It is called once for each batch of a stream. It isn't called for a request that
  /// ends while it waits for other requests.
  ///
  /// - Parameter work: the work.
  /// - Returns: the result of `work`.
  /// - Throws: the errors of `work`.
  func run<Result>(_ work: () throws -> Result) rethrows -> Result
  /// Reports the end of a statement, on the thread of `run`.
  ///
  /// - Parameter statement: the statement.
  func ended(_ statement: StatementEvent)
  /// Reports the end of the request. It is called once, after all other functions.
  ///
  /// - Parameter request: the measurements of the request.
  func ended(_ request: RequestEvent)
}

extension RequestObserver {
  /// Runs the work without other effects.
  ///
  /// - Parameter work: the work.
  /// - Returns: the result of `work`.
  /// - Throws: the errors of `work`.
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result { try work() }
  /// Ignores the end of a statement.
  ///
  /// - Parameter statement: the statement.
  public func ended(_ statement: StatementEvent) {}
}

/// A SQL statement that has ended.
public struct StatementEvent: Hashable, Sendable {
  /// The text with the parameters `?1`, `?2` … instead of values.
  public let sql: String
  /// The text with values. `nil` unless the observer `showsValues`.
  public let sqlWithValues: String?
  /// The time from the first step to the last step, including the program's work between rows.
  public let duration: Duration
}

/// A request that has ended.
public struct RequestEvent: Hashable, Sendable {
  /// The result of a request.
  public enum Result: Hashable, Sendable {
    /// The request has succeeded.
    case succeeded
    /// The request has thrown a `StoreError`.
    case failed(StoreError.Reason)
    /// The request was cancelled.
    case cancelled
    /// The program has thrown its own error, for example in the closure of a transaction.
    case refused
  }

  /// The request.
  public let request: StoreRequest
  /// The result of the request.
  public let outcome: Result
  /// The time that the request waited for other requests.
  public let waited: Duration
  /// The time that the request waited for the lock of another process or connection. It is part of `ran`.
  public let waitedForLock: Duration
  /// The time that the work took, including the time to wait for locks.
  public let ran: Duration
  /// The number of rows that were read or changed.
  public let rows: Int
  /// The number of reads in the request that had to be compiled.
  public let compiled: Int
  /// The number of reads in the request that had been compiled before.
  public let reused: Int
  /// The number of open connections for concurrent reads at the end of the request.
  public let openReaders: Int
}

extension Database {
  /// - Throws: `DatabaseError`
  func followStatements(for observer: (any StoreObserver)?) throws {
    guard let observer, observer.followsStatements else { return }
    try followStatements(showingValues: observer.showsValues)
  }
}

/// A request as an observer sees it: its function and its entity, without values.
public struct StoreRequest: Hashable, Sendable {
  /// The called function.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A function that reads.
    case fetch, stream, read, liveResults, history
    /// A transaction, or a function for single objects.
    case transaction, create, createOrUpdate, update, delete
    /// A batch request or its dry run.
    case batchInsert, batchUpdate, batchDelete, batchLink, dryRun
    /// Removing transactions of the persistent history.
    case pruneHistory
    /// Copying the store, exporting rows, or explaining a request.
    case backup, export, explain
    /// A function of the product `StoreVerification` or `StoreComparison` for an open store.
    case verify, describe, compare
    /// Reading the next object IDs of a batch request's result.
    case objectIDs
    /// Closing the store.
    case close

    /// Whether the function changes the store.
    var writes: Bool {
      switch self {
      case .transaction, .create, .createOrUpdate, .update, .delete, .batchInsert, .batchUpdate,
        .batchDelete, .batchLink, .pruneHistory:
        true
      case .fetch, .stream, .read, .liveResults, .history, .dryRun, .backup, .export, .explain,
        .objectIDs, .verify, .describe, .compare, .close:
        false
      }
    }
  }

  /// The called function.
  public let kind: Kind
  /// The name of the entity. `nil` if the request may concern several entities.
  public let entity: String?

  init(_ kind: Kind, of entity: String? = nil) {
    self.kind = kind
    self.entity = entity
  }
}

extension StoreRequest: CustomStringConvertible {
  /// The function and the entity, such as `batchUpdate of 'Item'`.
  public var description: String {
    entity.map { "\(kind.rawValue) of '\($0)'" } ?? kind.rawValue
  }
}
