import StoreDiagnostics
import PredicateSQL
package import SQLiteAccess

/// A database in memory with the functions that compiled predicates use.
package struct MemoryDatabase {
  private let database: Database

  package init() throws {
    database = try Database(uri: ":memory:", path: ":memory:", .writing) {
      try SQLFunctions.register(on: $0)
    }
  }

  package func inside<T>(_ body: (Connection) throws -> T) throws -> T {
    try database.use(body)
  }
}
