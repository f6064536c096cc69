import ArgumentParser
import RecordFormats
import StoreComparison
import StoreCore
import StoreDiagnostics
import StoreEngine
import StoreLayout

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: Storetool.name,
    abstract: "Show the rows that differ between two stores, or that changed in one store.",
    discussion: """
      OLD and NEW are two stores, or a store and its backup. Rows are compared with rows that have the same object ID \
      if the stores have the same UUID, and otherwise with rows that have the same values of a uniqueness constraint. \
      --key specifies other attributes for this comparison. To-many relationships differ if their members differ, and \
      ordered ones also if the order differs. The output contains the numbers of added, removed and changed rows. \
      --rows lists each of these rows with its old and new values. --since reads the persistent history of one store, \
      and shows the rows and properties that changed, with their current values. The exit status is 1 if any compared \
      rows differ. Entities and properties that only one store has aren't compared.

        storetool diff Backup.sqlite App.sqlite
        storetool diff Backup.sqlite App.sqlite --rows --ignore updatedAt
        storetool diff Mine.sqlite Theirs.sqlite --key Person.first,last
        storetool diff --since 1042 --rows
      """)

  @Argument(help: "The old store or, with --since, the only store.", completion: .stores)
  var old: LocalPath?

  @Argument(help: "The new store.", completion: .stores)
  var new: LocalPath?

  @Option(
    help: ArgumentHelp(
      "Show the changes of one store after this transaction, or from this date on.",
      valueName: "number|date"))
  var since: HistoryBound?

  @Flag(help: "List each row that differs, with its old and new values.")
  var rows = false

  @OptionGroup var choice: ComparisonOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func validate() throws {
    if since == nil {
      guard old != nil, new != nil else {
        throw ValidationError("diff requires two stores, or --since")
      }
      if options.store != nil || options.simulator != nil {
        throw ValidationError("diff requires two stores as arguments; omit --store and --simulator")
      }
    } else {
      if new != nil { throw ValidationError("--since takes only one store") }
      if old != nil && (options.store != nil || options.simulator != nil) {
        throw ValidationError("the store is specified twice: by '\(old ?? "")' and by an option")
      }
      if !choice.key.isEmpty || choice.match != nil {
        throw ValidationError("--since matches rows by object ID; omit --key and --match")
      }
    }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let result = try since.map(changes) ?? difference()
    if rows {
      Terminal.report(result.notes)
      Terminal.err.write("\(result.sentence)\n")
    } else {
      try FactWriter(format).print(result.page)
    }
    if result.summary.differences > 0 { throw CheckFound() }
  }

  private func difference() throws -> DifferenceFacts {
    let (old, new) = (try open(old).side, try open(new).side)
    let plan = try ComparisonPlan(old, new, by: choice.rules)
    let output = try rowOutput(isByKey: plan.entities.contains { $0.matching != .objectID })
    let summary = try Progress("rows", besides: Terminal.out).following { report in
      try StoreComparison(plan).run(old, new, progress: report, visit: output?.append)
    }
    try output?.finish()
    Terminal.report(
      old.unread.warnings(beside: old.store) + new.unread.warnings(beside: new.store))
    return DifferenceFacts(summary: summary, old: old.store.path, new: new.store.path)
  }

  private func changes(since bound: HistoryBound) throws -> DifferenceFacts {
    let side = try Workspace(options.naming(old)).openStore().side
    let comparison = HistoryComparison(
      try ComparisonPlan(changesOf: side, by: choice.rules), since: bound)
    let output = try rowOutput(isByKey: false)
    let (summary, warning) = try Progress("changes", besides: Terminal.out).following { report in
      try comparison.run(side, progress: report, visit: output?.append)
    }
    try output?.finish()
    Terminal.report(side.unread.warnings(beside: side.store))
    return DifferenceFacts(
      summary: summary, new: side.store.path, since: bound, historyWarning: warning)
  }

  /// Opens a store with the model that wrote it, because the stores may have different versions.
  private func open(_ path: LocalPath?) throws -> OpenStore {
    try Workspace(
      store: path, model: options.app ?? options.model, modelVersion: options.modelVersion
    ).openStore()
  }

  private func rowOutput(isByKey: Bool) throws -> DifferenceOutput? {
    rows ? try DifferenceOutput(format.resolved, isByKey: isByKey, to: OutputFile.standard) : nil
  }
}

/// Options for the compared properties, and for the matching of rows.
struct ComparisonOptions: ParsableArguments {
  enum Match: String, ExpressibleByArgument, CaseIterable {
    case id, key
  }

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Compare only rows of this entity and its subentities. May be repeated.", valueName: "name"),
    completion: .furtherEntities)
  var entity: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Properties to ignore: updatedAt in all entities, or Item.updatedAt in one. May be repeated.",
      valueName: "names"))
  var ignore: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The attributes that identify an entity's rows. May be repeated for other entities.",
      valueName: "Entity.attribute,…"),
    completion: .partsOfModel)
  var key: [String] = []

  @Option(
    help: ArgumentHelp(
      "Match rows of entities without --key by object ID (id) or by a uniqueness constraint (key). "
        + "Default: id if both stores have the same UUID, otherwise key."))
  var match: Match?

  func validate() throws {
    for text in key where EntityKey(text) == nil {
      throw ValidationError("--key requires Entity.attribute or a list: Entity.first,last")
    }
  }

  var rules: ComparisonRules {
    let ignored = ignore.joined(separator: ",").split(separator: ",").map { name in
      String(name.drop { $0 == " " })
    }
    let matching = match.map { $0 == .id ? ComparisonRules.Matching.objectID : .uniqueKey }
    return ComparisonRules(
      entities: entity, ignored: ignored, keys: key.compactMap { EntityKey($0) },
      matching: matching)
  }
}

extension OpenStore {
  fileprivate var side: ComparedSide { ComparedSide(store, layout) }
}
