import SQLiteAccess

/// An observer of the requests of a store, for logs, metrics and traces. It is an option in `PersistentStore.Options`.
///
/// The product `StoreObservation` contains an observer for swift-log, swift-metrics and swift-distributed-tracing.
public protocol StoreObserver: Sendable {
  /// Whether the observer receives each SQL statement, which takes a microsecond per statement.
  var followsStatements: Bool { get }
  /// Whether the statements contain their values, which can be personal data of users.
  var showsValues: Bool { get }

  /// Is called in the task that makes a request, before it waits for its turn.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - path: the path of the store.
  /// - Returns: the observer of this request, or nil.
  func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)?
}

extension StoreObserver {
  public var followsStatements: Bool { true }
  public var showsValues: Bool { false }
}

/// An observer of one request.
public protocol RequestObserver: Sendable {
  /// Runs the work of the request. It runs on a thread of the store, not in the task, so task-local values must be set
  /// again. It isn't called for a request whose turn doesn't come. For a stream, it is called once per batch.
  func run<Result>(_ work: () throws -> Result) rethrows -> Result
  /// Is called on that thread after a statement.
  func ended(_ statement: StatementEvent)
  /// Is called once, after the request.
  func ended(_ request: RequestEvent)
}

extension RequestObserver {
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result { try work() }
  public func ended(_ statement: StatementEvent) {}
}

/// An SQL statement that a request has run.
public struct StatementEvent: Hashable, Sendable {
  /// The SQL with the parameters `?1`, `?2` and so on.
  public let sql: String
  /// The SQL with its values, or nil unless the observer `showsValues`.
  public let sqlWithValues: String?
  /// The time from its first to its last step, including the work of the program between its rows.
  public let duration: Duration
}

/// The end of a request.
public struct RequestEvent: Hashable, Sendable {
  /// The result of a request.
  public enum Result: Hashable, Sendable {
    /// The request succeeded.
    case succeeded
    /// The request threw a `StoreError`.
    case failed(StoreError.Reason)
    /// The request was canceled.
    case cancelled
    /// The closure of a transaction threw its own error.
    case refused
  }

  /// The request.
  public let request: StoreRequest
  /// The result of the request.
  public let outcome: Result
  /// The time it waited for its turn.
  public let waited: Duration
  /// The time it waited for a lock of another process or connection, which is a part of `ran`.
  public let waitedForLock: Duration
  /// The time from its turn to its end.
  public let ran: Duration
  /// The number of rows that it read or changed.
  public let rows: Int
  /// The number of reads that were compiled.
  public let compiled: Int
  /// The number of reads that were already compiled.
  public let reused: Int
  /// The number of open connections for reading at the end of the request.
  public let openReaders: Int
}

extension Database {
  /// - Throws: `DatabaseError`
  func followStatements(for observer: (any StoreObserver)?) throws {
    guard let observer, observer.followsStatements else { return }
    try followStatements(showingValues: observer.showsValues)
  }
}

/// A request for an observer: its kind and its entity, without values.
public struct StoreRequest: Hashable, Sendable {
  /// The called function.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `fetch`, `first`, `object`, `exists` or `find`.
    case fetch
    /// A batch of `stream`.
    case stream
    /// `read`.
    case read
    /// `liveResults`.
    case liveResults
    /// `transaction`.
    case transaction
    /// `create` of objects.
    case create
    /// `createOrUpdate`.
    case createOrUpdate
    /// `update`.
    case update
    /// `remove` of an object.
    case remove
    /// `batchInsert`.
    case batchInsert
    /// `batchUpdate`.
    case batchUpdate
    /// `batchDelete`.
    case batchDelete
    /// `batchLink`.
    case batchLink
    /// The dry run of a batch request.
    case dryRun
    /// The next object IDs in the result of a batch request.
    case objectIDs
    /// `close`.
    case close
  }

  /// The called function.
  public let kind: Kind
  /// The entity, or nil if the request can concern several entities.
  public let entity: String?

  init(_ kind: Kind, of entity: String? = nil) {
    self.kind = kind
    self.entity = entity
  }
}

extension StoreRequest: CustomStringConvertible {
  /// The request in words, such as `batchUpdate of 'Item'`.
  public var description: String {
    entity.map { "\(kind.rawValue) of '\($0)'" } ?? kind.rawValue
  }
}
