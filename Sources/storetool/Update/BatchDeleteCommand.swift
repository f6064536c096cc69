public import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate

extension BatchDelete.Rules: ExpressibleByArgument {}

struct BatchDeleteCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-delete", _superCommandName: Storetool.name,
    abstract: "Delete rows and apply the model's delete rules.",
    discussion: """
      All matching rows are deleted. The delete rule of each of their relationships decides what happens to the \
      related rows. Cascade also deletes them. Nullify sets their references to NULL. No Action leaves their \
      references unchanged. Deny aborts the deletion if a related row isn't deleted too. A required reference that \
      would become NULL also aborts it. Then nothing is changed. These checks are made once all rows to delete are \
      known, so the order of rows doesn't matter.

        storetool batch-delete Item --where 'done == true'
        storetool batch-delete Team --where 'players.@count == 0' --dry-run
        storetool batch-delete Product --all
        storetool batch-delete Item --where 'done == true' --sql
      """)

  @Argument(help: "The name of the entity.", completion: .entities)
  var entity: String

  @OptionGroup var condition: WhereOption

  @Flag(help: "Delete all rows of the entity.")
  var all = false

  @Flag(name: .customLong("no-subentities"), help: "Exclude rows of subentities.")
  var excludesSubentities = false

  @Option(
    help:
      "model: apply the model's delete rules. none: only delete the rows, and keep references to them."
  )
  var rules = BatchDelete.Rules.model

  @Flag(help: "Only show what would be deleted and what would become NULL.")
  var dryRun = false

  @OptionGroup var script: ScriptOptions
  @OptionGroup var result: BatchResultOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func validate() throws {
    if all && !condition.predicates.isEmpty {
      throw ValidationError("--where and --all can't be combined")
    }
    if condition.predicates.isEmpty && !all {
      throw ValidationError("specify the rows: --where 'predicate', or --all for all rows")
    }
    if dryRun && result.status {
      throw ValidationError("--dry-run doesn't change the store; omit --status")
    }
    try script.refuse(result, format, dryRun: dryRun)
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    guard !script.isWanted else { return try printScript() }
    let output = DeletionOutput(options: result, format: format)
    let (store, plan) = try prepared(for: dryRun ? .reading : .writing, knowsKeys: result.ids)
    try store.found.requireForWriting(store.store)
    if dryRun {
      _ = try store.store.dryRunOfDeletion(plan, in: store.layout) { connection, outcome in
        try UnexpectedCount.refuse(
          .deletedRows, of: outcome.findings.deletedCount, unless: result.expect)
        try output.printPreview(outcome, of: plan, in: store, on: connection)
      }
    } else {
      let outcome = try Progress("rows").followingBatch { report in
        try store.store.delete(
          plan, in: store.layout, expected: result.expect, progress: report)
      }
      try output.print(outcome, of: plan, in: store)
    }
  }

  private func printScript() throws {
    let (open, plan) = try prepared(for: .reading)
    try open.found.requireForWriting(open.store)
    try OutputFile.standard.write(open.store.script(of: plan, in: open.layout).text)
  }

  /// Returns the open store, and the plan of the deletion.
  ///
  /// - Parameter knowsKeys: Whether the keys of the deleted rows are recorded, so that their object IDs can be printed.
  func prepared(
    for access: Store.Access, knowsKeys: Bool = false
  ) throws -> (OpenStore, DeletePlan) {
    let store = try Workspace(options).openStore(having: .entity(entity), for: access)
    _ = try store.model.requireEntity(named: entity)
    let asked = try condition.predicate()
    let request = BatchDelete(
      entity: entity, predicate: asked?.1,
      includesSubentities: !excludesSubentities, rules: rules)
    let plan = try request.plan(
      in: store.layout, storeUUID: store.store.metadata.uuid, knowsKeys: knowsKeys, text: asked?.0)
    return (store, plan)
  }
}

/// Prints the result of a deletion or of its dry run on standard output. After a deletion, also prints a sentence on
/// standard error.
struct DeletionOutput {
  let options: BatchResultOptions
  let format: FormatOptions

  func print(
    _ outcome: Store.DeletionReport, of plan: DeletePlan, in store: OpenStore
  ) throws {
    Terminal.err.write(outcome.sentence + "\n")
    Terminal.report(outcome.warnings(beside: store.store))
    try BatchOutput(options: options, format: format).print(
      count: outcome.findings.deletedCount, facts: DeletionFacts(outcome.findings),
      ids: store.store.deletedObjectIDs(of: plan), from: store)
  }

  func printPreview(
    _ outcome: Store.DeletionReport, of plan: DeletePlan, in store: OpenStore,
    on connection: Connection
  ) throws {
    if options.ids {
      try RowOutput(options: format).printIDs(
        store.store.deletedObjectIDs(of: plan), from: store, on: connection)
    } else if options.count, format.format == nil {
      try OutputFile.standard.write("\(outcome.findings.deletedCount)\n")
    } else {
      try FactWriter(format).print(.page(DeletionFacts(dryRun: outcome)))
    }
  }
}

extension Store.DeletionReport {
  /// The summary of the deletion, such as `deleted 3 Item, 1 List; nullified 4 Item.list`.
  fileprivate var sentence: String {
    guard findings.deletedCount > 0 else { return "no rows deleted" }
    var parts = ["deleted \(findings.deleted.listed)"]
    if !findings.nullified.isEmpty { parts.append("nullified \(findings.nullified.listed)") }
    if files > 0 { parts.append("removed \(files.grouped) \("file".plural(files))") }
    return parts.joined(separator: "; ")
  }

  fileprivate func warnings(beside store: Store) -> [DiagnosticMessage] {
    var warnings: [DiagnosticMessage] = []
    if !findings.dangling.isEmpty {
      let list = findings.dangling.sorted { $0.key < $1.key }
        .map { "\($0.key) (\($0.value.grouped))" }.joined(separator: ", ")
      warnings.append(
        DiagnosticMessage(.warning, "delete.dangling", "references to deleted rows remain: \(list)")
      )
    }
    if let first = filesLeft.first {
      warnings.append(
        DiagnosticMessage(
          .warning, "delete.file-left",
          filesLeft.count == 1
            ? "couldn't remove 1 file of a deleted value: '\(first)'"
            : "couldn't remove \(filesLeft.count.grouped) files of deleted values; the first: '\(first)'",
          help: [store.link(toValue: first)].compactMap { link in
            link.map { "'\($0)' is a symbolic link, which isn't followed" }
          }))
    }
    return warnings
  }
}

/// The output of `batch-delete`, such as `{"deleted": {"Item": 3}, "nullified": {"Item.list": 4}, "dangling": {}}`.
/// `nullified` counts the references to deleted rows that became NULL, and `dangling` counts the references that
/// remain.
struct DeletionFacts: Encodable {
  let deleted, nullified, dangling: [String: Int]
  /// The number of files with values of the deleted rows. It is set only in a dry run, like `tables`.
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

/// The output of `explain batch-delete`.
struct DeletionExplanation: Encodable {
  let tables: [DeletionFacts.Table]
  let steps: [Step]

  struct Step: Encodable { let step, sql: String }

  init(_ outcome: Store.DeletionReport) {
    tables = outcome.findings.tables.map(DeletionFacts.Table.init)
    steps = outcome.steps.map { Step(step: $0.purpose, sql: $0.sql.literalText) }
  }
}
