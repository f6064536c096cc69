import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Store {
  /// Returns the statements of a batch update as a script, without changing the store.
  ///
  /// - Throws: the errors of the update; `ScriptError`
  package func script(
    of plan: UpdatePlan, in layout: StoreLayout, cancellation: Cancellation = .ofProcess
  ) throws -> SQLScript {
    let (entries, outcome) = try recorded(in: layout, cancellation) { copy in
      try copy.update(by: plan, in: layout, cancellation: cancellation)
    }
    let head = ["changes \(outcome.changed) of \(outcome.matched) matching \(plan.entity)"]
    return try script(
      head + plan.nullWarnings(outcome, isDryRun: true).map(\.message),
      of: entries.map { ScriptPart($0) }, cancellation: cancellation)
  }

  /// Returns the statements of a deletion as a script, without changing the store.
  ///
  /// - Throws: the errors of the deletion; `ScriptError`
  package func script(
    of plan: DeletePlan, in layout: StoreLayout, cancellation: Cancellation = .ofProcess
  ) throws -> SQLScript {
    let files = try dryRunOfDeletion(plan, in: layout, cancellation: cancellation).files
    let (entries, result) = try recorded(in: layout, cancellation) { copy in
      try copy.delete(plan, in: layout, cancellation: cancellation)
    }
    let purposes = Dictionary(
      result.steps.map { ($0.sql, $0.purpose) }, uniquingKeysWith: { first, _ in first })
    var head = [
      "deletes \(result.findings.deletedCount) rows: matching \(plan.entity), and rows deleted with them"
    ]
    if files > 0 {
      head.append("The script doesn't remove the files of external values (\(files)).")
    }
    return try script(
      head, of: entries.map { ScriptPart($0, purposes: purposes) }, cancellation: cancellation)
  }

  /// Returns a script that fails in a store with another model version. A script that writes history also fails if the
  /// history has new transactions.
  private func script(
    _ head: [String], of parts: [ScriptPart], cancellation: Cancellation
  ) throws -> SQLScript {
    let conditions = try read { connection in
      try connection.stateConditions(writing: parts.map(\.sql), checksum: metadata.checksum)
    }
    let script = SQLScript(
      head + ["For the store x-coredata://\(metadata.uuid)/"], conditions + parts)
    try ScriptTrial.run(script, on: self, cancellation: cancellation)
    return script
  }

  /// Runs a request on a copy of the store, and records its statements.
  private func recorded<Result>(
    in layout: StoreLayout, _ cancellation: Cancellation, _ body: (Store) throws -> Result
  ) throws -> ([StatementRecorder.Entry], Result) {
    try withTrialCopy(cancellation) { path in
      let copy = try Store.openExclusively(path)
      copy.note(gaps, of: layout)
      let recorder = StatementRecorder()
      let result = try recorder.recording { try body(copy) }
      try copy.close()
      return (recorder.entries, result)
    }
  }

  /// Calls `body` with the path of a copy of the store, and removes the copy afterwards.
  func withTrialCopy<Result>(
    _ cancellation: Cancellation, _ body: (LocalPath) throws -> Result
  ) throws -> Result {
    let copy: LocalPath = "\(path).\(UUID().uuidString).dry-run"
    try copyForDryRun(to: copy, cancellation: cancellation)
    defer { Store.discardDryRunCopy(copy) }
    return try body(copy)
  }
}

extension Connection {
  /// Returns the conditions under which a script that was recorded in this state of the store is valid: the same model
  /// version, and the same counters of the history if the script writes history.
  ///
  /// - Parameter checksum: the checksum of the version's hashes.
  fileprivate func stateConditions(
    writing statements: [SQL], checksum: String?
  ) throws(DatabaseError) -> [ScriptPart] {
    var conditions = [try version(checksum)]
    let names = Set(statements.flatMap(\.tokens).map { $0.name.uppercased() })
    if names.contains(HistoryTable.changes) {
      let counters: SQL = """
        SELECT group_concat(key) FROM (SELECT \(name: FixedColumn.highestKey) AS key \
        FROM \(name: FixedTable.primaryKeys) \
        WHERE \(name: FixedColumn.entity) >= \(value: .integer(HistoryEntity.first)) \
        ORDER BY \(name: FixedColumn.entity))
        """
      conditions.append(
        try sameAnswer(counters, "the history has new transactions since the script was created"))
    }
    return conditions
  }

  private func version(_ checksum: String?) throws(DatabaseError) -> ScriptPart {
    let list: SQL = "SELECT \(name: FixedColumn.propertyList) FROM \(name: FixedTable.metadata)"
    guard let checksum else {
      return try sameAnswer(
        list, "the metadata differs from the store for which the script was created")
    }
    // The property list contains the checksum in ASCII, in its binary form and as XML.
    let position: SQL = "instr((\(list)), CAST(\(value: .text(checksum)) AS BLOB))"
    let words = "the script was created for another version of the model"
    guard try integer("SELECT \(position)") > 0 else { return try version(nil) }
    return .condition("SELECT 1 WHERE ifnull(\(position), 0) = 0", words: words)
  }

  private func sameAnswer(_ question: SQL, _ words: String) throws(DatabaseError) -> ScriptPart {
    let answer = try rows(question).first?.first ?? .null
    return .condition("SELECT 1 WHERE (\(question)) IS NOT \(value: answer)", words: words)
  }
}

/// Runs a script on a copy of the store, in SQLite without storetool's functions.
enum ScriptTrial {
  /// - Throws: `ScriptError` for a statement that SQLite rejects; `DatabaseError`, `Cancelled`.
  static func run(
    _ script: SQLScript, on store: Store, cancellation: Cancellation = .ofProcess
  ) throws {
    try store.withTrialCopy(cancellation) { path in
      let uri = DatabaseFile.uri(path, ["mode=rw"])
      let database = try Database(uri: uri, path: path, .writing) { connection in
        // Losing the copy in a crash is harmless.
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
      // `define` runs the statement with the values in its text, as in the script.
      try connection.define(statement.sql)
    } catch {
      switch error {
      case .cancelled, .diskFull, .outOfMemory, .inputOutput, .damaged, .locked: throw error
      default: throw ScriptError(error, of: statement)
      }
    }
  }
}
