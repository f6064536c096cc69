import PredicateSQL
import SQLiteAccess

/// A database in memory that knows the functions of compiled predicates.
struct MemoryDatabase {
  private let database: Database

  init() throws {
    database = try Database(uri: ":memory:", path: ":memory:", .writing) {
      try SQLFunctions.register(on: $0)
    }
  }

  func inside<T>(_ body: (Connection) throws -> T) throws -> T {
    try database.use(body)
  }
}
