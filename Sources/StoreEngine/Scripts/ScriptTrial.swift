import SQLiteAccess
package import StoreDiagnostics
import StoreSQL

/// Runs a script as its engine would, on a copy of the store: plain SQLite, without a function of ours, as narrow as the
/// engine, each statement for itself.
package enum ScriptTrial {
  /// - Throws: `ScriptError` for what the engine would not take; `DatabaseError` for what can happen to any.
  package static func run(
    _ script: SQLScript, on store: Store, cancellation: Cancellation = .ofProcess
  ) throws {
    try store.withTrialCopy(cancellation) { path in
      let restrictions = script.dialect.facts.restrictions
      let uri = DatabaseFile.uri(path, ["mode=rw"])
      let database = try Database(uri: uri, path: path, .writing) { connection in
        // Nothing is lost with a copy.
        try connection.run("PRAGMA synchronous = OFF")
        try connection.run("PRAGMA journal_mode = MEMORY")
        connection.restrict(to: restrictions)
      }
      try database.use(heeding: cancellation) { connection in
        try connection.interrupting(on: cancellation) {
          for statement in script.statements { try run(statement, script.dialect, connection) }
        }
      }
      try database.close()
    }
  }

  private static func run(
    _ statement: SQLScript.Statement, _ dialect: SQLDialect, _ connection: Connection
  ) throws {
    do throws(DatabaseError) {
      // With the values in its text, as it is sent.
      try connection.define(statement.sql)
    } catch {
      switch error {
      case .cancelled, .diskFull, .outOfMemory, .inputOutput, .damaged, .locked: throw error
      default: throw ScriptError(error, of: statement, for: dialect)
      }
    }
  }
}
