import PredicateSQL
package import SQLiteAccess
package import StoreCore
package import StoreLayout
package import StoreModel

/// A migration of one store, worked out but not begun: everything that will be asked and done.
package struct MigrationPlan: Hashable, Sendable {
  package let mapping: ModelMapping
  /// As the store is.
  package let source: StoreLayout
  /// As a fresh store of the target version is.
  package let target: StoreLayout
  /// How each table gets there, for the reader.
  package var tables: [TableTransition]
  /// What must not be in the store; asked before the first step.
  package var checks: [MigrationCheck]
  /// What is dropped where it is there; asked before the first step.
  package var losses: [PossibleLoss]
  /// What a definition runs on the store as it was, before anything is asked.
  package var prelude: [MigrationStep]
  package var steps: [MigrationStep]
  /// What a definition runs on the store as it is in the end, after the proof.
  package var epilogue: [MigrationStep]
  /// What must not be in the store when the program's own step is done: it has to give values that nothing else
  /// gives.
  package var stepChecks: [MigrationCheck]
  /// Where rows go, with what is added to their keys.
  package var moves: [RowMove]
  /// What is compared before the first step and after the last.
  package var proofs: [ProofScan]
  /// The source's columns whose values move from files into rows.
  package var movedColumns: [ExternalColumn]
  /// What the user should know: keys that change, relationships whose order is made up.
  package var notes: [String]
  /// The highest key that each target table has now handed out.
  package var highestKeys: [String: Int64]

  /// Whether steps read values from files.
  var readsFiles: Bool {
    steps.contains { SQLFunctions.called(in: $0.sql).contains(StoredBytes.bytesName) }
  }
}

/// Rows of a source entity that become rows of a target entity.
package struct RowMove: Hashable, Sendable {
  package var source: String
  package var target: String
  /// What is added to a row's key.
  package var offset: Int64
}

/// What becomes of one table.
package struct TableTransition: Hashable, Sendable {
  /// The cheapest first.
  package enum Strategy: String, Hashable, Sendable {
    case unchanged
    /// A new table.
    case create
    /// Schema alone: columns and tables added or renamed, indexes.
    case schema
    /// Rows are updated or deleted where they lie.
    case update
    /// Columns are dropped, which makes SQLite rewrite the table.
    case dropColumns = "drop columns"
    /// Copied into a new table, indexes made afterwards.
    case rebuild
    case drop
  }

  /// Nil for a new table.
  package var from: String?
  /// Nil for a table that goes.
  package var to: String?
  package var strategy: Strategy
}

/// A question whose answer must be no row.
package struct MigrationCheck: Hashable, Sendable {
  /// Selects `Z_PK` and, where there is one, the value of each offender.
  package var offenders: SQL
  package var problem: MappingError
  /// The entity of the source whose keys the offenders are; nil where they are of several, or new.
  package var source: String?
  /// The loss that has to be allowed for the offenders to do no harm; nil where nothing helps.
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

/// Something that the target has no place for.
package struct PossibleLoss: Hashable, Sendable {
  /// `Item.note`, `Item.tags`, or `Item` for its rows.
  package var name: String
  /// Selects how many values, pairs or rows there are.
  package var count: SQL

  package init(_ name: String, count: SQL) {
    self.name = name
    self.count = count
  }
}

/// Two queries that must have equal results in any order: the rows of an entity with their kept
/// values, or the pairs of a relationship, as the old store has them and as the new one has them.
package struct ProofScan: Hashable, Sendable {
  /// `Item`, or `Item.tags` for the pairs of a join table.
  package var subject: String
  /// The target's table that the entity's rows are in.
  package var table: String
  /// The names of the columns behind the first one, which is the row's new key.
  package var columns: [String]
  package var before: SQL
  package var after: SQL
}

/// One statement of a migration. What a plan prints is what runs.
package struct MigrationStep: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// The schema alone: as fast for ten million rows as for ten.
    case schema
    /// Writes rows of this table.
    case rows(String)
    /// Temporary tables, which vanish with the connection.
    case scratch
    /// Core Data's own tables: entity numbers, metadata, history.
    case bookkeeping
    /// SQL of a definition, of one statement or more.
    case script
    /// Nothing: rows that only the steps before have made are asked for.
    case question
  }

  package var sql: SQL
  /// For the reader of the plan: `adds Item.note`.
  package var purpose: String
  package var effect: Effect
  /// The SQL of a definition as it is written there.
  package var written: Written<String>?
  /// A CREATE statement, in which SQLite allows no parameters.
  package var isDefinition = false
  /// Whether SQLite is to keep a journal of the statement's own. One that can't fail because of what is in
  /// the rows needs none.
  package var needsJournal = true
  /// What must have no answer when it is the step's turn.
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
