import GRDB

/// The way from GRDB's queue and transactions to our `Connection` and errors.
struct SerializedConnection {
  var queue: DatabaseQueue
  var path: String

  func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try translated { try queue.read { try body(connection($0)) } }
  }

  func write<T>(_ body: (Connection) throws -> T) throws -> T {
    do {
      return try translated {
        var result: T?
        try queue.writeWithoutTransaction { database in
          try database.inTransaction(.immediate) {
            result = try body(connection(database))
            return .commit
          }
        }
        guard let result else { throw StoreError.cancelled }
        return result
      }
    } catch let error as StoreError {
      if error.leavesJournal { rollBackJournal() }
      throw error
    }
  }

  /// Runs `body` in a transaction that is taken back.
  func trying<T>(_ body: (Connection) throws -> T) throws -> T {
    try translated {
      var result: T?
      try queue.inTransaction(.immediate) { database in
        result = try body(connection(database))
        return .rollback
      }
      guard let result else { throw StoreError.cancelled }
      return result
    }
  }

  /// When the disk is full, SQLite may leave a rollback journal to whoever reads next; till then no
  /// one could who must not write.
  private func rollBackJournal() {
    do {
      _ = try outsideTransaction { try $0.integer("SELECT count(*) FROM sqlite_master") }
    } catch {
      // The journal stays, and the first error is the one to tell.
    }
  }

  /// For pragmas, which SQLite ignores or refuses in a transaction.
  func outsideTransaction<T>(_ body: (Connection) throws -> T) throws -> T {
    try translated { try queue.writeWithoutTransaction { try body(connection($0)) } }
  }

  private func connection(_ database: Database) throws -> Connection {
    guard let handle = database.sqliteConnection else { throw StoreError.cancelled }
    return Connection(handle: handle, path: path)
  }

  private func translated<T>(_ work: () throws -> T) throws -> T {
    do {
      return try work()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

extension StoreError {
  init(_ error: DatabaseError, path: String) {
    self.init(
      code: error.extendedResultCode.rawValue, message: error.message ?? "\(error.resultCode)",
      path: path)
  }
}
