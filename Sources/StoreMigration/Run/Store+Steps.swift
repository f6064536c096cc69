import SQLiteAccess
import StoreCore

extension Store {
  /// Runs one statement of a plan.
  ///
  /// - Throws: `MigrationRunError.step` for a statement that the rows or SQLite refuse, `unfitStore` where what
  ///   the store holds or lacks is to blame; `DatabaseError` for what can happen to any.
  func run(_ step: MigrationStep, on connection: Connection) throws {
    do throws(DatabaseError) {
      try connection.run(step)
    } catch {
      switch error {
      case .sql(_, _, let words) where step.effect == .script:
        throw MigrationRunError.definitionSQL(words, step.written)
      case .sql(_, _, let words) where error.breaksDependent:
        throw MigrationRunError.dependent(words)
      case .sql, .constraint, .unfitValue, .tooComplex, .damaged, .noPermission:
        let fault = try blame(for: error, connection)
        throw fault.map { MigrationRunError.unfitStore(purpose: step.purpose, $0) }
          ?? .step(purpose: step.purpose, error)
      default: throw error
      }
    }
  }
}

extension Connection {
  fileprivate func run(_ step: MigrationStep) throws(DatabaseError) {
    if step.effect == .script {
      try runScript(step.sql.literalText)
    } else if step.isDefinition {
      try define(step.sql)
    } else if !step.needsJournal {
      try runWithoutJournal(step.sql)
    } else {
      try run(step.sql)
    }
  }
}
