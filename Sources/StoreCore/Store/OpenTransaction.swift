package import SQLiteAccess
package import StoreDiagnostics

/// An open write transaction of a store, with the state that its requests share.
package final class OpenTransaction {
  package let store: Store
  package let connection: Connection
  package let cancellation: Cancellation
  package let session: HistorySession
  private let writeGuard: WriteGuard
  /// Whether an error of a part ends the transaction, so that a part doesn't need a savepoint.
  private let isOnePart: Bool
  /// The names of external files whose rows are deleted. They are removed after the commit, because a file without a
  /// row is harmless, but a row without its file has lost a value.
  private(set) var obsoleteFiles: [String] = []

  fileprivate init(
    of store: Store, on connection: Connection, under writeGuard: WriteGuard,
    as origin: HistoryOrigin, _ cancellation: Cancellation, isOnePart: Bool = false
  ) {
    self.isOnePart = isOnePart
    self.store = store
    self.connection = connection
    self.writeGuard = writeGuard
    self.cancellation = cancellation
    session = HistorySession(origin)
  }

  func discard(_ files: [String]) { obsoleteFiles += files }

  /// Runs a part of the transaction. If it throws, its changes are rolled back.
  ///
  /// - Throws: an error of `body`; `DatabaseError`
  package func part<Result>(_ body: () throws -> Result) throws -> Result {
    let (key, files) = (session.transactionKey, obsoleteFiles)
    do {
      return try store.mappingErrors(connection) {
        try writeGuard.naming { isOnePart ? try body() : try connection.savepoint(body) }
      }
    } catch {
      (session.transactionKey, obsoleteFiles) = (key, files)
      throw error
    }
  }
}

extension Store {
  /// The external files that a transaction has made obsolete.
  package struct ObsoleteFiles: Hashable, Sendable {
    package var removed = 0
    /// The names of files that couldn't be removed.
    package var left: [String] = []
  }

  /// Runs requests in one transaction with one row in the history, then removes the files that they made obsolete.
  ///
  /// - Parameter isOnePart: whether `body` throws every error of a part.
  /// - Throws: an error of `body`; `DatabaseError`, `StoreLayoutError`
  package func transact<Result>(
    as origin: HistoryOrigin = .storetool, cancellation: Cancellation = .ofProcess,
    isOnePart: Bool = false, _ body: (OpenTransaction) throws -> Result
  ) throws -> (result: Result, files: ObsoleteFiles) {
    let (result, names) = try write(lacking: gaps, cancellation) { connection, writeGuard in
      let transaction = OpenTransaction(
        of: self, on: connection, under: writeGuard, as: origin, cancellation,
        isOnePart: isOnePart)
      return (try body(transaction), transaction.obsoleteFiles)
    }
    return (result, remove(names))
  }

  /// Runs requests in the write transaction that is open on `connection`.
  ///
  /// - Returns: the names of the files that the caller must remove after the commit.
  /// - Throws: an error of `body`; `DatabaseError`
  package func transact(
    within connection: Connection, as origin: HistoryOrigin = .storetool,
    cancellation: Cancellation, _ body: (OpenTransaction) throws -> Void
  ) throws -> [String] {
    let transaction = OpenTransaction(
      of: self, on: connection, under: WriteGuard([]), as: origin, cancellation)
    try body(transaction)
    return transaction.obsoleteFiles
  }

  /// Removes the external files with the given names, to which no row may refer.
  @discardableResult
  package func remove(_ names: [String]) -> ObsoleteFiles {
    var files = ObsoleteFiles()
    guard !names.isEmpty else { return files }
    let folder = ExternalFolder(path: externalDataFolder)
    for name in names {
      switch folder.remove(name) {
      case .removed: files.removed += 1
      case .missing: break
      case .left: files.left.append(name)
      }
    }
    return files
  }
}

/// A request would change a different number of rows or links than expected. The store is unchanged.
package struct UnexpectedCount: DiagnosableError, Hashable {
  package enum Effect: Hashable, Sendable {
    case updatedRows, deletedRows, madeLinks, endedLinks
  }

  package var effect: Effect
  package var expected: Int
  package var found: Int

  /// - Parameter expected: the required number, or nil if any number is allowed.
  /// - Throws: `UnexpectedCount`
  package static func refuse(
    _ effect: Effect, of found: Int, unless expected: Int?
  ) throws(UnexpectedCount) {
    guard let expected, expected != found else { return }
    throw UnexpectedCount(effect: effect, expected: expected, found: found)
  }

  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "batch.unexpected-count",
        "\(sentence), but \(expected) \(expected == 1 ? "was" : "were") expected; nothing was changed"
      ).helping(.request(.countAgain))
    ]
  }

  private var sentence: String {
    let (row, link) = ("row".plural(found), "link".plural(found))
    return switch effect {
    case .updatedRows: "\(found) \(row) would change"
    case .deletedRows: "\(found) \(row) would be deleted"
    case .madeLinks: "\(found) \(link) would be created"
    case .endedLinks: "\(found) \(link) would be removed"
    }
  }
}
