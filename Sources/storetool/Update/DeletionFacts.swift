import RecordFormats
import StoreCore
import SQLiteAccess

/// The facts of `batch-delete`: `{"deleted": {"Item": 3}, "nullified": {"Item.list": 4}, "dangling": {}}`
struct DeletionFacts: Encodable {
  let deleted, nullified, dangling: [String: Int]
  /// Only in a dry run, as are `tables`.
  @OmittedIfNil var files: Int? = nil
  @OmittedIfNil var tables: [Table]? = nil

  struct Table: Encodable {
    let table: String
    let rows, deleted: Int
    let strategy: String

    init(_ work: DeletionFindings.TableWork) {
      (table, rows, deleted) = (work.table, work.rows, work.deleted)
      strategy = work.way.rawValue
    }
  }

  init(_ findings: DeletionFindings) {
    deleted = findings.deleted
    (nullified, dangling) = (findings.nullified, findings.dangling)
  }

  init(dryRun outcome: Store.DeletionReport) {
    self.init(outcome.findings)
    files = outcome.files
    tables = outcome.findings.tables.map(Table.init)
  }
}

/// The facts of `explain batch-delete`.
struct DeletionExplanation: Encodable {
  let tables: [DeletionFacts.Table]
  let steps: [Step]

  struct Step: Encodable { let step, sql: String }

  init(_ outcome: Store.DeletionReport) {
    tables = outcome.findings.tables.map(DeletionFacts.Table.init)
    steps = outcome.steps.map { Step(step: $0.purpose, sql: $0.sql.literalText) }
  }
}
