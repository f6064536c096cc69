import PredicateSQL
package import SQLiteAccess
package import StoreCore
package import StoreLayout
package import StoreModel

/// A planned migration of one store, with all of its queries and statements.
package struct MigrationPlan: Hashable, Sendable {
  package let mapping: ModelMapping
  /// The layout of the store.
  package let source: StoreLayout
  /// The layout of a new store of the target version.
  package let target: StoreLayout
  /// The strategy for each table, for display.
  package var tables: [TableTransition]
  /// Checks that run before the first step, and must not find any rows.
  package var checks: [MigrationCheck]
  /// The possible losses, which are counted before the first step.
  package var losses: [PossibleLoss]
  /// The statements of a definition that run on the source version, before the checks.
  package var prelude: [MigrationStep]
  package var steps: [MigrationStep]
  /// The statements of a definition that run on the target version, after the proof.
  package var epilogue: [MigrationStep]
  /// Checks that run after the custom step, which must provide values that the migration can't infer.
  package var stepChecks: [MigrationCheck]
  /// The moves of rows between entities, with the offsets of their keys.
  package var moves: [RowMove]
  /// The queries that are compared before the first step and after the last one.
  package var proofs: [ProofScan]
  /// The columns of the source whose values move from files into rows.
  package var movedColumns: [ExternalColumn]
  /// Notes for the user, for example about keys that change, or relationships whose order is invented.
  package var notes: [String]
  /// The highest used key of each target table.
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

/// The strategy for one table.
package struct TableTransition: Hashable, Sendable {
  /// From the fastest to the slowest.
  package enum Strategy: String, Hashable, Sendable {
    case unchanged
    case create
    /// Only the schema changes: columns and tables are added or renamed, indexes are created or dropped.
    case schema
    /// Rows are updated or deleted in place.
    case update
    /// Columns are dropped, for which SQLite rewrites the table.
    case dropColumns = "drop columns"
    /// Rows are copied to a new table, and indexes are created afterwards.
    case rebuild
    case drop
  }

  /// Nil for a new table.
  package var from: String?
  /// Nil for a table that is dropped.
  package var to: String?
  package var strategy: Strategy
}

/// A query that must not return any rows.
package struct MigrationCheck: Hashable, Sendable {
  /// Selects `Z_PK` and, if available, the value of each invalid row.
  package var offenders: SQL
  package var problem: MappingError
  /// The source entity of the keys; nil if they belong to several entities, or are new.
  package var source: String?
  /// The loss that must be allowed to skip the check; nil if this isn't possible.
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

/// Two queries of the old and the new store that must return the same rows in any order: the kept values of an entity,
/// or the pairs of a relationship.
package struct ProofScan: Hashable, Sendable {
  /// The name in messages: `Item`, or `Item.tags` for the pairs of a join table.
  package var subject: String
  /// The table of the entity in the target.
  package var table: String
  /// The names of the columns after the first one, which is the row's new key.
  package var columns: [String]
  package var before: SQL
  package var after: SQL
}

/// One statement of a migration. A plan prints the same statements that run.
package struct MigrationStep: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// Changes only the schema. The time doesn't depend on the number of rows.
    case schema
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
  /// The SQL of a definition in its original form.
  package var written: Written<String>?
  /// Whether it is a CREATE statement, in which SQLite doesn't allow parameters.
  package var isDefinition = false
  /// Whether the statement requires a statement journal. A statement that can't fail because of the rows' content
  /// doesn't.
  package var needsJournal = true
  /// A check that runs as this step.
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
  /// - Throws: `MigrationRunError.step` if SQLite rejects the statement, `unfitStore` if the cause is an object that
  ///   the store contains or lacks, and `DatabaseError` for other errors of a database.
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
