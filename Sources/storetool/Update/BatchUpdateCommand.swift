import ArgumentParser
import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreModel

struct BatchUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-update", _superCommandName: Storetool.name,
    abstract: "Set values of all matching rows.",
    discussion: """
      Without --where, all rows of the entity match. key=text sets a literal of the attribute's type. key:=expression \
      evaluates an expression for each row. For a to-one relationship, key:=(predicate) links each row to the only row \
      of the destination that matches the predicate. Rows that already have the values aren't rewritten. If the model \
      doesn't allow one of the new values, the command fails and no rows are changed.

        storetool batch-update Item done=true
        storetool batch-update Item 'priority:=priority + 1' --where 'done == NO'
        storetool batch-update Employee 'department:=(name == "Research")' --dry-run
        storetool batch-update Item done=true --sql
      """)

  @OptionGroup var update: UpdateOptions

  @Flag(
    name: .customLong("dry-run"),
    help: "Only print how many rows match, and how many of them would change.")
  var isDryRun = false

  @OptionGroup var script: ScriptOptions
  @OptionGroup var result: BatchResultOptions
  @OptionGroup var format: FormatOptions

  func validate() throws {
    try result.requireChange(unless: isDryRun)
    try script.refuse(result, format, dryRun: isDryRun)
  }

  func run() throws {
    guard !script.isWanted else { return try printScript() }
    guard !isDryRun else { return try printDryRun() }
    Signals.cancelOnInterrupt()
    let (open, plan) = try update.prepared(for: .writing)
    let progress = Progress("rows")
    let outcome = try progress.followingBatch { report in
      try open.store.update(
        by: plan, in: open.layout, keepsKeys: result.ids, expected: result.expect,
        willMake: progress.report, progress: report)
    }
    Terminal.err.write("\(summary(of: outcome, plan.entity))\n")
    Terminal.report(plan.nullWarnings(outcome))
    try BatchOutput(options: result, format: format).print(
      count: outcome.changed, facts: UpdateFacts(outcome), ids: Store.updatedKeys, from: open)
  }

  private func printScript() throws {
    Signals.cancelOnInterrupt()
    let (open, plan) = try update.prepared(for: .reading)
    try open.found.requireForWriting(open.store)
    try OutputFile.standard.write(open.store.script(of: plan, in: open.layout).text)
  }

  private func printDryRun() throws {
    let (open, plan) = try update.prepared(for: .reading)
    try open.found.requireForWriting(open.store)
    let strategy = try open.store.dryRun(of: plan, in: open.layout)
    try UnexpectedCount.refuse(
      .updatedRows, of: strategy.counts.changed, unless: result.expect)
    Terminal.report(plan.nullWarnings(strategy.counts, isDryRun: true))
    var facts = UpdateFacts(strategy.counts)
    facts.rebuiltIndexes = strategy.rebuiltIndexes
    try FactWriter(format).print(.page(facts))
  }

  /// Returns the summary. If the request has no predicate, it doesn't contain "matching", so that the user notices a
  /// forgotten predicate.
  private func summary(of outcome: UpdateResult, _ entity: String) -> String {
    let (changed, matched) = (outcome.changed.grouped, outcome.matched.grouped)
    guard update.condition.predicates.isEmpty else {
      return "changed \(changed) of \(matched) matching \(entity)"
    }
    guard outcome.matched > 0 else { return "changed 0 of 0 \(entity)" }
    guard outcome.changed == outcome.matched else {
      return "changed \(changed) of \(matched) \(entity)"
    }
    return outcome.matched == 1 ? "changed 1 of 1 \(entity)" : "changed all \(matched) \(entity)"
  }
}

/// The output of `batch-update`.
struct UpdateFacts: Encodable {
  let matched, changed: Int
  /// The number of rows in which NULL replaced a value because the expression has no result, by attribute.
  @OmittedIfNil var becameNull: [String: Int]?
  /// The names of the indexes that the update would rebuild; set only in a dry run.
  @OmittedIfNil var rebuiltIndexes: [String]? = nil

  init(_ outcome: UpdateResult) {
    (matched, changed) = (outcome.matched, outcome.changed)
    becameNull = outcome.becameNull.isEmpty ? nil : outcome.becameNull
  }
}

/// The option that prints the SQL of a request instead of running the request.
struct ScriptOptions: ParsableArguments {
  @Flag(
    name: .customLong("sql"), help: "Print the changes as an SQL script instead of making them.")
  var isWanted = false

  /// - Throws: `ValidationError` for options that can't be combined with `--sql`.
  func refuse(_ result: BatchResultOptions, _ format: FormatOptions, dryRun: Bool) throws {
    guard isWanted else { return }
    if dryRun { throw ValidationError("--sql and --dry-run can't be combined") }
    if result.count || result.ids || result.status || result.expect != nil {
      throw ValidationError(
        "--sql doesn't change the store; omit --count, --ids, --status and --expect")
    }
    if format.format != nil { throw ValidationError("--sql prints SQL; omit --format") }
  }
}

/// Prints the result of a committed batch request in the requested form.
struct BatchOutput {
  let options: BatchResultOptions
  let format: FormatOptions

  /// - Parameters:
  ///   - count: The number to print. If a format is specified, `facts` are printed instead. `--ids` and `--status`
  ///     replace both.
  ///   - ids: The query of the object IDs to print for `--ids`.
  func print(
    count: Int, facts: some Encodable, ids: @autoclosure () -> CompiledQuery,
    from store: OpenStore
  ) throws {
    Signals.endOnInterrupt()
    try UnreportedChange.reporting(store.store.path) {
      if options.ids {
        try RowOutput(options: format).printIDs(ids(), from: store)
      } else if format.format == nil {
        try OutputFile.standard.write(options.status ? "true\n" : "\(count)\n")
      } else {
        try FactWriter(format).print(options.status ? .page(["status": true]) : .page(facts))
      }
    }
  }
}

/// The options for the result of a batch request.
struct BatchResultOptions: ParsableArguments {
  @Flag(
    help: """
      Print the number of rows or links that the command changes. This is the default, unless another option \
      determines the output.
      """
  )
  var count = false

  @Flag(
    help:
      "Print the object IDs of the changed or deleted rows, one per line unless --format is specified."
  )
  var ids = false

  @Flag(help: "Print true if the command succeeds.")
  var status = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Abort unless exactly n rows would be changed or deleted. In link and unlink, n is the number of links. In \
      batch-delete, rows that a cascade deletes are counted, but references that become NULL aren't.
      """,
      valueName: "n"))
  var expect: Int?

  func validate() throws {
    if let expect, expect < 0 { throw ValidationError("--expect must be 0 or greater") }
    if [count, ids, status].count(where: { $0 }) > 1 {
      throw ValidationError("--count, --ids and --status can't be combined")
    }
  }

  /// Rejects `--ids` and `--status` in a dry run, which doesn't change rows.
  func requireChange(unless isDryRun: Bool) throws {
    if isDryRun && (ids || status) {
      throw ValidationError("--dry-run doesn't change the store; omit --ids and --status")
    }
  }
}
