package import StoreModel
package import SQLiteAccess

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
