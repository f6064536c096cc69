import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreVerification

struct VerifyCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", _superCommandName: Storetool.name,
    abstract: "Check a store for damage.",
    discussion: """
      The checks cover SQLite's integrity, missing tables, columns and indexes, dangling references, dangling \
      rows of join tables, inconsistent one-to-one relationships, positions in ordered relationships, counters \
      of primary keys, uniqueness, derived values, entity numbers, history, version hashes, and \
      external files of large values. The exit status is 1 if there are errors. Warnings, such as NULL in a required \
      attribute, also occur in stores that Core Data accepts, and don't affect the exit status. If no model is \
      available, most checks of rows are skipped.
      --repair fixes the damage that can be fixed without loss of data. It creates missing indexes and triggers, and \
      missing columns whose values can be computed. It sets dangling optional references to NULL, removes dangling \
      rows of join tables, raises counters, corrects entity numbers of rows that fit only one entity, and removes \
      orphaned external files that are older than an hour. It lists the remaining findings, and the exit status is 1 \
      if any of them is an error.

        storetool verify App.sqlite
        storetool verify --repair --dry-run
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @Flag(help: "Repair all damage that can be repaired without loss, in one transaction.")
  var repair = false

  @Flag(help: "Only print what --repair would repair.")
  var dryRun = false

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @Option(help: "The format of the findings.")
  var format = CommandFormat.own(FindingFormat.text)

  @OptionGroup var table: TableOptions

  func validate() throws {
    if dryRun && !repair { throw ValidationError("--dry-run requires --repair") }
    if repair, closest { throw ValidationError("--closest only reads; omit --repair") }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    if repair { try runRepair() } else { try runCheck() }
  }

  private func runCheck() throws {
    let workspace = try Workspace(options.naming(path), closest: closest)
    let store = try Store.open(try workspace.storePath(), .reading, acceptsFaults: true)
    let layout = try workspace.identifiedLayout(of: store, infers: false)
    let findings = try PhaseProgress().following {
      try store.verify(in: layout, progress: $0.report)
    }
    let known =
      layout == nil
      ? "; the store's model isn't available, so most checks of rows were skipped" : ""
    if findings.isEmpty {
      let extent = try store.extent()
      let rows = "\(extent.rows.grouped) \("row".plural(extent.rows))"
      let tables = extent.tables.counted("table")
      try print(findings, summary: "no findings: checked \(rows) in \(tables)\(known)")
    } else {
      try print(findings, summary: findings.counted + known)
    }
    if findings.contains(where: { $0.severity == .error }) { throw CheckFound() }
  }

  private func runRepair() throws {
    let store = try Workspace(options.naming(path)).openStore(
      for: dryRun ? .reading : .writing)
    try store.found.requireForWriting(store.store)
    let outcome = try PhaseProgress().following { shown in
      try dryRun
        ? store.store.repairable(in: store.layout, progress: shown.report)
        : store.store.repair(in: store.layout, progress: shown.report)
    }
    let verb = dryRun ? "would repair" : "repaired"
    let total = outcome.repaired.count + outcome.remaining.count
    let done =
      outcome.repaired.isEmpty
      ? "nothing \(dryRun ? "would be" : "was") repaired"
      : "\(verb) \(outcome.repaired.count) of \(total) \("finding".plural(total))"
    let rest = outcome.remaining.isEmpty ? "" : "; remaining: \(outcome.remaining.counted)"
    try UnreportedChange.reporting(dryRun ? nil : store.store.path) {
      try print(outcome, verb: verb, summary: "\(done)\(rest)")
    }
    Terminal.report(outcome.remarks)
    if outcome.remaining.contains(where: { $0.severity == .error }) { throw CheckFound() }
  }

  private func print(
    _ outcome: RepairResult, verb: String, summary: String
  ) throws {
    let done = outcome.repaired.map { finding in
      var diagnostic = finding.diagnostic
      diagnostic.severity = .note
      diagnostic.message =
        dryRun ? "\(verb): \(diagnostic.message)" : "\(verb) (was: \(diagnostic.message))"
      return diagnostic
    }
    try print(
      done + outcome.remaining.map(\.diagnostic), VerificationFacts.facts(of: outcome),
      summary: summary)
  }

  private func print(_ findings: [StoreFinding], summary: String) throws {
    try print(
      findings.map(\.diagnostic), VerificationFacts.facts(of: findings), summary: summary)
  }

  private func print(_ findings: [DiagnosticMessage], _ facts: Facts, summary: String) throws {
    switch format {
    // For people, the summary replaces an empty table.
    case .facts(.table) where findings.isEmpty: Terminal.err.write("\(summary)\n")
    case .facts(let rows):
      try FactWriter(rows, table.style).print(facts)
      Terminal.err.write("\(summary)\n")
    case .own:
      try FindingWriter(format: format, style: table.style).print(findings, summary: summary)
    }
  }
}

extension [StoreFinding] {
  /// The number of errors and warnings, such as `1 error, 2 warnings`.
  fileprivate var counted: String {
    let errors = count { $0.severity == .error }
    let warnings = count - errors
    return "\(errors.counted("error")), \(warnings.counted("warning"))"
  }
}

extension RepairResult {
  /// Notes and warnings about files that weren't removed.
  fileprivate var remarks: [DiagnosticMessage] {
    [
      .youngFiles(youngFiles, of: "verify"), .doubtfulFiles(doubtfulFiles, of: "verify"),
      .remark(.warning, "verify.file-left", on: undeletableFiles) {
        "\($0) couldn't be removed; everything else is repaired"
      },
    ].compactMap(\.self)
  }
}

/// The output of `verify`.
enum VerificationFacts {
  private static let columns = [
    "severity", "code", "entity", "property", "count", "message", "examples",
  ]

  private struct Record: Encodable {
    let severity, code: String
    let entity, property: String?
    let count: Int64
    let message: String
    let examples: [String]
    @OmittedIfNil var repaired: Bool?

    init(_ finding: StoreFinding, isRepaired: Bool? = nil) {
      (severity, code) = (finding.severity.rawValue, finding.code)
      (entity, property, count) = (finding.entity, finding.property, finding.count)
      (message, examples) = (finding.message, finding.examples)
      repaired = isRepaired
    }
  }

  static func facts(of findings: [StoreFinding]) -> Facts {
    .records(columns: columns, findings.map { Record($0) })
  }

  /// Returns the output of a repair or of its dry run: the repaired and the remaining findings.
  static func facts(of outcome: RepairResult) -> Facts {
    .records(
      columns: columns + ["repaired"],
      outcome.repaired.map { Record($0, isRepaired: true) }
        + outcome.remaining.map { Record($0, isRepaired: false) })
  }
}
