/// The table of all commands, in the order in which the help lists them.
///
/// The parser, the help, completion, `each`, the web page of `browse` and tests read this table.
extension CommandRow {
  static let groups: [(name: String, rows: [CommandRow])] = [
    ("Store", storeCommands), ("Fetching", fetchingCommands), ("Writing", writingCommands),
    ("Model", modelCommands), ("Child process", childCommands),
  ]

  static let root = CommandRow(Storetool.self, subcommands: groups.flatMap { $0.rows })

  private static let storeCommands = [
    CommandRow(CreateCommand.self),
    CommandRow(InfoCommand.self, each: StoreUse(.reads, .census), page: .facts),
    CommandRow(DiffCommand.self, each: .reads),
    CommandRow(
      HistoryCommand.self, each: StoreUse(.reads, repeatableWith: "--prune"),
      page: PageUse(
        options: ["--since", "--entity", "--object", "--author", "--change", "--property"],
        flags: ["--changes", "--statistics"], takesValues: false, readsClosest: true)),
    CommandRow(
      VerifyCommand.self, each: StoreUse(.reads, .text, repeatableWith: "--repair"),
      page: PageUse(
        with: "--repair", flags: [PageUse.dryRun], takesValues: false, writes: true,
        triesByChecking: true), .facts),
    CommandRow(CompactCommand.self, each: StoreUse(.repeatable, .text)),
    CommandRow(AnonymizeCommand.self, each: StoreUse(.once, .text)),
    CommandRow(
      MigrateCommand.self, each: .repeatable,
      subcommands: [
        CommandRow(MigrateRunCommand.self, each: .repeatable),
        CommandRow(
          MigratePlanCommand.self, each: .reads,
          page: PageUse(options: ["--to", "--via", "--allow-loss"], takesValues: false)),
        CommandRow(MigrateScriptCommand.self, each: .reads),
        CommandRow(
          MigrateStatusCommand.self, each: .reads,
          page: PageUse(options: ["--to", "--via"], takesValues: false)),
        CommandRow(MigrateMatrixCommand.self),
        CommandRow(MigrateNewCommand.self),
      ]),
    CommandRow(BrowseCommand.self),
    CommandRow(EachCommand.self),
    CommandRow(SimulatorsCommand.self),
    CommandRow(SettingsCommand.self),
  ]

  private static let fetchingCommands = [
    CommandRow(TemplatesCommand.self, each: .reads, page: .facts),
    CommandRow(ApplyTemplateCommand.self, each: .reads, page: .rows()),
    CommandRow(FetchCommand.self, each: .reads, page: .rows(flags: ["--watch"])),
    CommandRow(
      ShowCommand.self, each: .reads,
      page: PageUse(
        options: ["--members", "--changes"], flags: ["--describe-data"], readsClosest: true)),
    CommandRow(
      ExplainCommand.self, each: .reads,
      subcommands: [
        CommandRow(ExplainFetchCommand.self, each: .reads, page: .rows()),
        CommandRow(ExplainTemplateCommand.self, each: .reads, page: .rows()),
        CommandRow(ExplainInsertionCommand.self, each: .reads),
        CommandRow(ExplainUpdateCommand.self, each: .reads),
        CommandRow(ExplainDeletionCommand.self, each: .reads),
        CommandRow(ExplainLinkCommand.self, each: .reads),
        CommandRow(ExplainUnlinkCommand.self, each: .reads),
      ]),
  ]

  private static let writingCommands = [
    CommandRow(InsertCommand.self, each: .once, page: .writing()),
    CommandRow(BatchInsertCommand.self, each: .once),
    CommandRow(
      BatchUpdateCommand.self, each: .once,
      page: .writing(["--where", PageUse.expect], flags: ["--no-subentities", "--ids"])),
    CommandRow(
      BatchDeleteCommand.self, each: .once,
      page: .writing(
        ["--where", "--rules", PageUse.expect], flags: ["--all", "--no-subentities", "--ids"])),
    CommandRow(
      LinkCommand.self, each: .once, page: .writing(["--at", "--sort", PageUse.expect])),
    CommandRow(UnlinkCommand.self, each: .once, page: .writing([PageUse.expect])),
    CommandRow(SeedCommand.self, each: StoreUse(.once, .text)),
    CommandRow(ImportCommand.self, each: .once),
    CommandRow(ExportCommand.self, each: .reads),
  ]

  private static let modelCommands = [
    CommandRow(
      ModelCommand.self,
      subcommands: [
        CommandRow(ModelCheckCommand.self), CommandRow(ModelShowCommand.self),
        CommandRow(ModelHashCommand.self), CommandRow(ModelDiffCommand.self),
        CommandRow(ModelLockCommand.self), CommandRow(ModelCompileCommand.self),
        CommandRow(ModelDecompileCommand.self), CommandRow(ModelMergeCommand.self),
        CommandRow(ModelRenumberCommand.self), CommandRow(ModelFormatCommand.self),
        CommandRow(ModelDiagramCommand.self), CommandRow(ModelDocsCommand.self),
      ]),
    CommandRow(
      PredicateCommand.self,
      subcommands: [
        CommandRow(PredicateParseCommand.self), CommandRow(PredicateFormatCommand.self),
        CommandRow(
          PredicateCheckCommand.self,
          page: PageUse(options: ["--entity", "--template"], readsClosest: true)),
      ]),
    CommandRow(GenerateCommand.self),
    CommandRow(
      GitCommand.self,
      subcommands: [CommandRow(GitInstallCommand.self), CommandRow(GitUninstallCommand.self)]),
  ]

  /// The commands that only `each` and `browse` start, in child processes. The help doesn't list them.
  private static let childCommands = [
    CommandRow(EachWorkerCommand.self),
    CommandRow(PageModelCommand.self, page: .facts),
    CommandRow(PageRowsCommand.self, page: .view(["--keys"])),
    CommandRow(PageKeysCommand.self, page: .view()),
    CommandRow(PageCompleteCommand.self, page: PageUse(readsClosest: true)),
    CommandRow(PageValueCommand.self, page: PageUse(output: .bytes, readsClosest: true)),
    CommandRow(PagePlainCommand.self, page: PageUse(readsClosest: true)),
    CommandRow(PageChangesCommand.self, page: PageUse(takesValues: false)),
    CommandRow(PageDiagramCommand.self, page: .facts),
    CommandRow(PageRunCommand.self),
  ]
}

extension PageUse {
  /// A request for information about the store or its model. It doesn't accept options or other arguments.
  fileprivate static let facts = PageUse(takesValues: false, readsClosest: true)

  /// A request for rows, with the options of `fetch` that select, sort and group rows.
  fileprivate static func rows(flags: [String] = []) -> PageUse {
    PageUse(
      options: [
        "--where", "--sort", "--limit", "--offset", "--select", "--group-by", "--having",
        "--sections",
      ],
      flags: ["--distinct", "--no-subentities", "--count", "--ids"] + flags, readsClosest: true)
  }

  /// A request for the rows or primary keys that a table on the page shows.
  fileprivate static func view(_ options: [String] = []) -> PageUse {
    PageUse(
      options: ["--where", "--sort", "--limit", "--offset", "--select", "--template"] + options,
      flags: ["--no-subentities"], readsClosest: true)
  }

  /// A request that changes rows. The page must first send it with `--dry-run`.
  fileprivate static func writing(_ options: [String] = [], flags: [String] = []) -> PageUse {
    PageUse(options: options, flags: [dryRun] + flags, writes: true)
  }
}
