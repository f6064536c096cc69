import GRDB

@testable import StoreEngine

/// A database in memory that knows the functions of compiled predicates.
struct MemoryDatabase {
  private let queue: DatabaseQueue

  init() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      guard let handle = database.sqliteConnection else { return }
      try SQLFunctions.register(on: handle)
    }
    queue = try DatabaseQueue(configuration: configuration)
  }

  func inside<T>(_ body: (Connection) throws -> T) throws -> T {
    try queue.writeWithoutTransaction { database in
      guard let handle = database.sqliteConnection else { throw DatabaseError() }
      return try body(Connection(handle: handle, path: ":memory:"))
    }
  }
}
