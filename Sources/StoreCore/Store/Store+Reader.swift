package import StoreDiagnostics
import SQLiteAccess

extension Store {
  /// A second connection to a store that this process has open for writing: it reads one state after
  /// the other while that one writes, and neither waits for the other in WAL mode.
  ///
  /// - Throws: `DatabaseError`
  package static func openReader(
    _ path: FilePath, lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    try open(
      path, DatabaseFile.Opening(uri: DatabaseFile.uri(path, ["mode=ro"])), .reading,
      lockTimeout: lockTimeout)
  }

  /// A number that is another one when another connection has written since.
  ///
  /// - Throws: `DatabaseError`
  package func dataVersion() throws -> Int64 {
    try database.use {
      try $0.integer("PRAGMA data_version")
    }
  }
}
