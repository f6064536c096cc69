import SQLiteAccess
import StoreDiagnostics

/// Runs a script on a copy of the store, in SQLite without our functions.
enum ScriptTrial {
  /// - Throws: `ScriptError` for a statement that SQLite refuses; `DatabaseError`, `Cancelled`.
  static func run(
    _ script: SQLScript, on store: Store, cancellation: Cancellation = .ofProcess
  ) throws {
    try store.withTrialCopy(cancellation) { path in
      let uri = DatabaseFile.uri(path, ["mode=rw"])
      let database = try Database(uri: uri, path: path, .writing) { connection in
        // Nothing is lost with a copy.
        try connection.run("PRAGMA synchronous = OFF")
        try connection.run("PRAGMA journal_mode = MEMORY")
      }
      try database.use(heeding: cancellation) { connection in
        try connection.interrupting(on: cancellation) {
          for statement in script.statements { try run(statement, connection) }
        }
      }
      try database.close()
    }
  }

  private static func run(
    _ statement: SQLScript.Statement, _ connection: Connection
  ) throws {
    do throws(DatabaseError) {
      // With the values in its text, as it is sent.
      try connection.define(statement.sql)
    } catch {
      switch error {
      case .cancelled, .diskFull, .outOfMemory, .inputOutput, .damaged, .locked: throw error
      default: throw ScriptError(error, of: statement)
      }
    }
  }
}
