import SQLiteAccess
import RecordFormats
import StoreSQL
import ArgumentParser
import StoreMigration
import StoreModelReader

/// `storetool migrate`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", _superCommandName: Storetool.name,
    abstract: "Brings a store to another version of its model, and proves that nothing was lost.",
    discussion: """
      What changes between both versions is inferred, or said by a definition in \
      Migrations/<Model>/<from>--<to>.xml, also between others on the way. A backup is made first; then everything is one \
      transaction, in which rows, values and pairs are compared before and after. What the target \
      has no place for stops it, unless --allow-loss names it.

        storetool migrate --plan
        storetool migrate
        storetool migrate --to 'Todo 2' --allow-loss Item.note --backup Before.sqlite
        storetool migrate --matrix
      """)

  @Flag var mode: Mode?

  @Option(
    name: .customLong("new"), parsing: .upToNextOption,
    help: ArgumentHelp(
      "Write the skeleton of a definition between two versions, with what can't be inferred.",
      valueName: "from to"))
  var new: [String] = []

  // One by one and not in groups: a group costs the parser as much as ten options, which can be seen in
  // a migration that rewrites no row.
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The version to migrate to, older ones too. Default: the bundle's current one.",
      valueName: "version"))
  var to: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A version to pass on the way, again for each; or direct, past all definitions between.",
      valueName: "version"))
  var via: [String] = []

  @Option(name: .long, help: MigrationsOption.help, completion: .directory)
  var migrations: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Drop what the target has no place for: Item.note,Item.tags, or all.", valueName: "names"))
  var allowLoss: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where the backup goes. Default: STORE.<version>.<UTC>.backup beside the store.",
      valueName: "path"),
    completion: .file())
  var backup: String?

  @Flag(name: .long, help: "Make no backup.")
  var noBackup = false

  @Flag(name: .long, help: "Do not compare the rows before and after.")
  var noProof = false

  @Flag(name: .long, help: "With --sql: leave out BEGIN and COMMIT.")
  var noTransaction = false

  @Flag(
    name: .long,
    help: """
      With --matrix: every version to every newer one. Default: neighbors, the first and the last, and \
      those with a definition.
      """)
  var all = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --matrix: how many rows each entity gets, 1 to 1000. Default: 10.", valueName: "count"))
  var rows: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --matrix: what the values are drawn with. Default: 1.", valueName: "number"))
  var seed: UInt64?

  @Option(name: .long, help: StoreOptions.storeHelp, completion: .file())
  var store: String?

  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: String?

  @Option(name: .long, help: ModelOptions.versionHelp)
  var modelVersion: String?

  @Option(name: .long, help: FormatOptions.help)
  var format: RowFormat?

  /// What is wanted instead of a migration.
  enum Mode: String, EnumerableFlag, CustomStringConvertible {
    case plan
    case sql
    case dryRun
    case check
    case status
    case matrix

    /// The parser's key for it; without this it is found by reflection, for every case.
    var description: String { rawValue }

    static func name(for mode: Mode) -> NameSpecification {
      switch mode {
      case .plan: .long
      case .sql: .long
      case .dryRun: .customLong("dry-run")
      case .check: .long
      case .status: .long
      case .matrix: .long
      }
    }

    static func help(for mode: Mode) -> ArgumentHelp? {
      switch mode {
      case .plan: "Show the steps, their SQL, what they touch and what is lost; change nothing."
      case .sql: "Write the steps as a script for other SQLite engines."
      case .dryRun: "Migrate a copy, show the real figures, and remove the copy."
      case .check: "Exit 1 when there is something to migrate."
      case .status: "Show the store's version, the target and the way between them."
      case .matrix:
        "Migrate made-up stores from older versions of the models to newer ones; exit 1 when one fails."
      }
    }
  }

  func validate() throws {
    guard new.isEmpty || new.count == 2 else {
      throw ValidationError("--new takes two versions: the old one and the new one")
    }
    if !new.isEmpty && mode != nil {
      throw ValidationError("--new writes a definition and goes alone")
    }
    if noBackup && backup != nil {
      throw ValidationError("--backup and --no-backup exclude each other")
    }
    if noTransaction && mode != .sql { throw ValidationError("--no-transaction goes with --sql") }
    try validateMatrix()
  }

  func run() throws {
    guard new.isEmpty else { return try writeSkeleton(from: new[0], to: new[1]) }
    Signals.cancelOnInterrupt()
    if mode == .matrix { return try runMatrix() }
    let output = MigrationOutput(format)
    let source = try MigrationSource(
      workspace, to: to, via: via, migrations: migrations,
      before: mode == nil ? .writing : .reading)
    switch mode {
    // Is about no store.
    case .matrix: return
    case .status: try output.printStatus(of: source)
    case .check:
      try output.printStatus(of: source)
      if source.isPending { throw CheckFound() }
    case nil where !source.isPending, .plan where !source.isPending,
      .sql where !source.isPending, .dryRun where !source.isPending:
      try output.printNothingToDo(in: source)
    case .plan:
      let settings = settings(for: source)
      try source.reading { store, plan in
        try output.printPlan(
          plan, settings, of: source, besides: source.alternative(of: store), in: store)
      }
    case .sql:
      try source.reading {
        try output.print(MigrationScript($1, wrapsTransaction: !noTransaction))
      }
    case .dryRun:
      let settings = settings(for: source)
      let report = try source.reading { store, plan in
        try PhaseProgress().following { report in
          try MigrationTrial.run(plan, of: store, settings: settings, progress: report)
        }
      }
      try output.printTrial(report, of: source)
    case nil:
      let settings = settings(for: source)
      let report = try source.alone { store, plan in
        try PhaseProgress().following { report in
          try MigrationRun(plan, of: store, settings: settings, progress: report).run()
        }
      }
      try output.print(report, of: source)
    }
  }

  var workspace: Workspace { Workspace(store: store, model: model, modelVersion: modelVersion) }

  private func settings(for source: MigrationSource) -> MigrationSettings {
    let allowed = allowLoss.map { AllowedLosses($0) } ?? .some([])
    return MigrationSettings(
      backup: noBackup ? .none : backup.map(MigrationSettings.Backup.at) ?? .beside,
      allowedLosses: allowed, otherNames: source.found.namesOfVersions(for: allowed),
      proves: !noProof)
  }

  private func writeSkeleton(from old: String, to new: String) throws {
    let workspace = Workspace(modelPath: model)
    let (source, target) = (try workspace.model(old), try workspace.model(new))
    let bundle = target.bundle
    let path = DefinitionFolder.path(
      from: source.version.name, to: target.version.name, of: bundle,
      in: bundle.migrationsFolder(named: migrations))
    let pairing = ModelPairing(from: source.model, to: target.model)
    try DefinitionFolder.add(DefinitionSkeleton(pairing).text, at: path)
    print(path)
  }
}
