import PredicateSQL
package import SQLiteAccess
package import StoreCore
package import StoreLayout
package import StoreModel

/// The plan for one mapping of a migration: all queries and statements that migrate a store from the mapping's source
/// version to its target version.
package struct MigrationPlan: Hashable, Sendable {
  package let mapping: ModelMapping
  /// The layout of the store.
  package let source: StoreLayout
  /// The layout of a new store of the target version.
  package let target: StoreLayout
  /// The strategy for each table, for display.
  package var tables: [TableTransition]
  /// Checks that run before the first of the `steps`, and must not find any rows.
  package var checks: [MigrationCheck]
  /// The possible losses, which are counted before the first of the `steps`.
  package var losses: [PossibleLoss]
  /// The statements of a definition that run on the source version, before the checks.
  package var prelude: [MigrationStep]
  /// The statements that migrate rows, schema and Core Data's own tables.
  package var steps: [MigrationStep]
  /// The statements of a definition that run on the target version, after the proof. If there are any, derived
  /// attributes are computed again after them.
  package var epilogue: [MigrationStep]
  /// Checks that run after the custom step, which must provide values that the migration can't infer.
  package var stepChecks: [MigrationCheck]
  /// The moves of rows between entities, with the offsets of their keys.
  package var moves: [RowMove]
  /// The proof: queries that must return the same rows before the first and after the last of the `steps`.
  package var proofs: [ProofScan]
  /// The columns of the source whose values move from external files into rows.
  package var movedColumns: [ExternalColumn]
  /// Notes for the user, for example about keys that change, or relationships that become ordered.
  package var notes: [String]
  /// An upper bound of the keys in each target table, by the table's name.
  package var highestKeys: [String: Int64]

  var readsFiles: Bool {
    steps.contains { SQLFunctions.called(in: $0.sql).contains(StoredBytes.bytesName) }
  }
}

/// Rows of a source entity that become rows of a target entity.
package struct RowMove: Hashable, Sendable {
  package var source: String
  package var target: String
  /// The offset that is added to a row's key.
  package var offset: Int64
}

/// The old and new name of one table, and the strategy that migrates it.
package struct TableTransition: Hashable, Sendable {
  /// The strategies, from the fastest to the slowest except for `drop`.
  package enum Strategy: String, Hashable, Sendable {
    case unchanged
    /// A new table is created, which is empty.
    case create
    /// Only the schema changes: columns and tables are added or renamed, indexes are created or dropped.
    case schema
    /// Rows are updated or deleted in place.
    case update
    /// Columns are dropped, and rows may be updated. SQLite rewrites the table to drop a column.
    case dropColumns = "drop columns"
    /// Rows are copied to a new table, and indexes are created afterwards.
    case rebuild
    case drop
  }

  /// The table in the source; nil for a new table.
  package var from: String?
  /// The table in the target; nil for a table that is dropped.
  package var to: String?
  package var strategy: Strategy
}

/// A requirement of the target, as a query for the rows that violate it.
package struct MigrationCheck: Hashable, Sendable {
  /// Selects the `Z_PK` and, if available, the value of each invalid row. For duplicates, selects the lowest key, the
  /// values and the list of keys of each group.
  package var offenders: SQL
  package var problem: MappingError
  /// The source entity of the selected keys; nil if they belong to several entities, or are keys of the target.
  package var source: String?
  /// The name of the loss that must be allowed so that the rows don't stop the migration; nil if they always stop it.
  package var permission: String?

  package init(
    _ offenders: SQL, _ problem: MappingError, source: String? = nil, permission: String? = nil
  ) {
    self.offenders = offenders
    self.problem = problem
    self.source = source
    self.permission = permission
  }
}

/// Data that the target can't represent.
package struct PossibleLoss: Hashable, Sendable {
  /// The name of the loss: `Item.note`, `Item.tags`, or `Item` for rows.
  package var name: String
  /// Selects the number of values, pairs or rows.
  package var count: SQL

  package init(_ name: String, count: SQL) {
    self.name = name
    self.count = count
  }
}

/// A part of the proof: one query of the store before the migration and one query after it, which must return the same
/// rows in any order. The rows are the kept values of an entity, or the pairs of a relationship.
package struct ProofScan: Hashable, Sendable {
  /// The name in messages: `Item`, or `Item.tags` for the pairs of a join table.
  package var subject: String
  /// The table of the entity in the target.
  package var table: String
  /// The names of the properties that the queries return after the row's new key.
  package var columns: [String]
  package var before: SQL
  package var after: SQL
}

/// A step of a migration: one SQL statement, or the SQL of a definition. The printed plan and the script contain the
/// same statements.
package struct MigrationStep: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// Changes only the schema. The time doesn't depend on the number of rows.
    case schema
    /// Reads or writes rows of the table with this name.
    case rows(String)
    /// Changes temporary tables, which are deleted when the connection closes.
    case scratch
    /// Changes Core Data's own tables: entity numbers, metadata, history.
    case bookkeeping
    /// Runs SQL of a definition with one or more statements.
    case script
    /// Queries rows that previous steps have written, without changing them.
    case question
  }

  package var sql: SQL
  /// The purpose for display, such as `adds Item.note`.
  package var purpose: String
  package var effect: Effect
  /// The SQL of a definition with its location in the file; nil for other steps.
  package var written: Written<String>?
  /// Whether the SQL is a CREATE statement, in which SQLite doesn't allow parameters.
  package var isDefinition = false
  /// Whether the statement requires SQLite's statement journal, which undoes the statement if it fails. Statements that
  /// can't fail because of the rows' content don't require it.
  package var needsJournal = true
  /// The check that runs as this step; nil for other steps.
  package var question: MigrationCheck?

  package init(_ sql: SQL, _ purpose: String, _ effect: Effect) {
    self.sql = sql
    self.purpose = purpose
    self.effect = effect
  }

  package init(asking question: MigrationCheck, _ purpose: String) {
    self.init(question.offenders, purpose, .question)
    self.question = question
  }

  package init(defining sql: SQL, _ purpose: String, _ effect: Effect) {
    self.init(sql, purpose, effect)
    isDefinition = true
  }
}

extension Store {
  /// Runs one statement of a plan.
  ///
  /// - Throws: `MigrationRunError.definitionSQL` if SQLite rejects the SQL of a definition, `dependent` if a view or
  ///   trigger that isn't part of the model would become invalid, `unfitStore` if the cause is an object that the store
  ///   contains or lacks, `step` if SQLite rejects the statement for another reason, and `DatabaseError` for other
  ///   errors of a database.
  func run(_ step: MigrationStep, on connection: Connection) throws {
    do throws(DatabaseError) {
      try connection.run(step)
    } catch {
      switch error {
      case .sql(_, _, let words) where step.effect == .script:
        throw MigrationRunError.definitionSQL(
          words, step.written, lacksName: error.lacksName)
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
