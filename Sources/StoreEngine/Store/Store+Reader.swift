import StoreDiagnostics
import SQLiteAccess

extension Database {
  /// - Throws: `DatabaseError`
  func followStatements(for observer: (any StoreObserver)?) throws {
    guard let observer, observer.followsStatements else { return }
    try followStatements(showingValues: observer.showsValues)
  }
}

extension Store {
  /// A second connection to a store that this process has open for writing: it reads one state after
  /// the other while that one writes, and neither waits for the other in WAL mode.
  ///
  /// - Throws: `DatabaseError`
  static func openReader(
    _ path: FilePath, lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    try open(
      path, DatabaseFile.Opening(uri: DatabaseFile.uri(path, ["mode=ro"])), .reading,
      lockTimeout: lockTimeout)
  }

  /// A number that is another one when another connection has written since.
  ///
  /// - Throws: `DatabaseError`
  func dataVersion() throws -> Int64 {
    try database.use {
      try $0.integer("PRAGMA data_version")
    }
  }
}
