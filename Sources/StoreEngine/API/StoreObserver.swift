import SQLiteAccess

/// Follows the requests of a store, for logs, metrics and traces: `PersistentStore.Options` takes one.
///
/// The product `StoreObservation` has one that speaks to swift-log, swift-metrics and swift-distributed-tracing.
public protocol StoreObserver: Sendable {
  /// Whether each SQL statement is told of, which costs a microsecond a statement.
  var followsStatements: Bool { get }
  /// Whether what is told of a statement has the values in it: those of the program's users.
  var showsValues: Bool { get }

  /// Called in the task that makes a request, before it waits for its turn.
  ///
  /// - Returns: who is told of this request; nil for nobody.
  func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)?
}

extension StoreObserver {
  public var followsStatements: Bool { true }
  public var showsValues: Bool { false }
}

/// Follows one request.
public protocol RequestObserver: Sendable {
  /// Runs the request's work, on a thread of the store and not of the task: what is task-local has to be set anew.
  /// Not called for a request whose turn never comes, and for each batch of a stream.
  func run<Result>(_ work: () throws -> Result) rethrows -> Result
  /// A statement has ended, on that thread.
  func ended(_ statement: StatementEvent)
  /// The request is over: called once, and last.
  func ended(_ request: RequestEvent)
}

extension RequestObserver {
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result { try work() }
  public func ended(_ statement: StatementEvent) {}
}

/// A SQL statement that a request has run.
public struct StatementEvent: Hashable, Sendable {
  /// With `?1`, `?2` … for its values.
  public let sql: String
  /// With the values in their places; nil unless the observer `showsValues`.
  public let sqlWithValues: String?
  /// From its first step to its last one, with what the program did between its rows.
  public let duration: Duration
}

/// A request that is over.
public struct RequestEvent: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    case succeeded
    case failed(StoreError.Reason)
    case cancelled
    /// The closure of a transaction has thrown an error of its own.
    case refused
  }

  public let request: StoreRequest
  public let outcome: Result
  /// For its turn behind other requests.
  public let waited: Duration
  /// For a lock that another process, or another connection, held; a part of `ran`.
  public let waitedForLock: Duration
  /// From its turn to its end.
  public let ran: Duration
  /// Read or changed.
  public let rows: Int
  /// How many reads had to be compiled, and how many were compiled before.
  public let compiled: Int
  public let reused: Int
  /// Connections that read beside the one that writes, when it ended.
  public let openReaders: Int
}

extension Database {
  /// - Throws: `DatabaseError`
  func followStatements(for observer: (any StoreObserver)?) throws {
    guard let observer, observer.followsStatements else { return }
    try followStatements(showingValues: observer.showsValues)
  }
}

/// A request as those know it who watch a store: what is done with which entity, and nothing of its values.
public struct StoreRequest: Hashable, Sendable {
  /// The function that was called.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case fetch, stream, read, liveResults
    case transaction, create, createOrUpdate, update, remove
    case batchInsert, batchUpdate, batchDelete, batchLink, dryRun
    /// The next object IDs of those that a batch request has returned.
    case objectIDs
    case close
  }

  public let kind: Kind
  /// Nil for one that may concern several.
  public let entity: String?

  init(_ kind: Kind, of entity: String? = nil) {
    self.kind = kind
    self.entity = entity
  }
}

extension StoreRequest: CustomStringConvertible {
  /// `batchUpdate of 'Item'`
  public var description: String {
    entity.map { "\(kind.rawValue) of '\($0)'" } ?? kind.rawValue
  }
}
