import ArgumentParser
import RecordFormats
import StoreComparison
import StoreCore
import StoreDiagnostics
import StoreEngine
import StoreLayout

/// `storetool diff`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: Storetool.name,
    abstract: "Says which rows two stores don't share, or what has changed in one.",
    discussion: """
      OLD and NEW are two stores, or a store and its backup. Rows are the same where their object IDs \
      are, if the stores have one UUID; else where the values of a uniqueness constraint are, or of \
      what --key names. To-many relationships differ where their members do, of ordered ones also \
      the order. The result counts; --rows lists each row with its old and new values. With --since \
      it is what the persistent history of one store says: which rows and properties, with the values \
      of now. Exit status 1 where anything differs.

        storetool diff Backup.sqlite App.sqlite
        storetool diff Backup.sqlite App.sqlite --rows --ignore updatedAt
        storetool diff Mine.sqlite Theirs.sqlite --key Person.first,last
        storetool diff --since 1042 --rows
      """)

  @Argument(help: "The store to start from.", completion: .stores)
  var old: FilePath?

  @Argument(help: "What came of it.", completion: .stores)
  var new: FilePath?

  @Option(
    help: ArgumentHelp(
      "Compare one store with itself after this transaction, or at this date.",
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
        throw ValidationError("diff takes two stores, or --since")
      }
      if options.store != nil || options.simulator != nil {
        throw ValidationError("diff takes two stores, and no --store or --simulator")
      }
    } else {
      if new != nil { throw ValidationError("--since compares one store with itself") }
      if old != nil && (options.store != nil || options.simulator != nil) {
        throw ValidationError("the store is named twice: '\(old ?? "")' and an option")
      }
      if !choice.key.isEmpty || choice.match != nil {
        throw ValidationError("--since goes by object ID; leave out --key and --match")
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
    let sides = (try open(old), try open(new))
    let rules = choice.rules(
      isOneStore: sides.0.store.metadata.uuid == sides.1.store.metadata.uuid)
    let plan = try ComparisonPlan(
      sides.0.layout, sides.1.layout, by: rules, of: choice.choice)
    let unread = (UnreadValues(), UnreadValues())
    let output = try rowOutput(isByKey: plan.entities.contains { $0.matching != .objectID })
    var stray: [StrayRows] = []
    let summary = try Progress("rows", besides: Terminal.out).following { report in
      try sides.0.store.read { old in
        try sides.1.store.read { new in
          stray = try sides.0.layout.strayRows(beside: plan.entities.map(\.old), on: old)
          stray += try sides.1.layout.strayRows(beside: plan.entities.map(\.new), on: new)
          return try StoreComparison(plan).run(
            ComparedStore(old, sides.0.context(counting: unread.0)),
            ComparedStore(new, sides.1.context(counting: unread.1)), progress: report,
            visit: output?.append)
        }
      }
    }
    try output?.finish()
    Terminal.report(
      unread.0.warnings(beside: sides.0.store) + unread.1.warnings(beside: sides.1.store))
    return DifferenceFacts(
      summary, old: sides.0.store.path, new: sides.1.store.path, stray: stray)
  }

  private func changes(since bound: HistoryBound) throws -> DifferenceFacts {
    let side = try Workspace(options.naming(old)).openStore(having: .nothing)
    let plan = try ComparisonPlan(
      side.layout, side.layout, by: MatchingRules(rest: .objectID), of: choice.choice)
    let comparison = HistoryComparison(plan, since: bound)
    let unread = UnreadValues()
    let output = try rowOutput(isByKey: false)
    var warning: Diagnostic?
    let summary = try Progress("changes", besides: Terminal.out).following { report in
      try side.store.read { connection in
        let store = ComparedStore(connection, side.context(counting: unread))
        let summary = try comparison.run(store, progress: report, visit: output?.append)
        warning = try HistoryLog(connection).warning(since: bound)
        return summary
      }
    }
    try output?.finish()
    Terminal.report(unread.warnings(beside: side.store))
    return DifferenceFacts(summary, store: side.store.path, since: bound, warning: warning)
  }

  /// A store by its path, through the model that wrote it: the two may be of different versions.
  private func open(_ path: FilePath?) throws -> OpenStore {
    try Workspace(
      store: path, model: options.app ?? options.model, modelVersion: options.modelVersion
    ).openStore(having: .nothing)
  }

  private func rowOutput(isByKey: Bool) throws -> DifferenceOutput? {
    rows ? try DifferenceOutput(format.resolved, isByKey: isByKey, to: OutputFile.standard) : nil
  }
}

/// What `diff` compares, and by what it knows rows to be the same.
struct ComparisonOptions: ParsableArguments {
  enum Match: String, ExpressibleByArgument, CaseIterable {
    case id, key
  }

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only rows of this entity, or of one below it; again for more.", valueName: "name"),
    completion: .furtherEntities)
  var entity: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Properties that don't count: updatedAt, or Item.updatedAt.", valueName: "names"))
  var ignore: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The attributes that tell an entity's rows apart; again for others.",
      valueName: "Entity.attribute,…"),
    completion: .partsOfModel)
  var key: [String] = []

  @Option(
    help: ArgumentHelp(
      "How other rows are matched: id, by object ID, or key, by a uniqueness constraint. Default: "
        + "id where both stores have one UUID."))
  var match: Match?

  var choice: ComparisonPlan.Choice {
    let ignored = ignore.joined(separator: ",").split(separator: ",").map { name in
      String(name.drop { $0 == " " })
    }
    return ComparisonPlan.Choice(entities: entity, ignored: ignored)
  }

  func validate() throws {
    for text in key where EntityKey(text) == nil {
      throw ValidationError("--key takes Entity.attribute, or several: Entity.first,last")
    }
  }

  /// - Parameter isOneStore: whether an object ID of the one store means the same row in the other.
  func rules(isOneStore: Bool) -> MatchingRules {
    let match = match ?? (isOneStore ? .id : .key)
    return MatchingRules(
      rest: match == .id ? .objectID : .uniqueKey, keys: key.compactMap { EntityKey($0) })
  }
}
