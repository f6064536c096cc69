import ArgumentParser
import RecordFormats

/// `storetool git …`: merging and comparing models within Git.
struct GitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git", _superCommandName: Storetool.name,
    abstract: "Makes Git merge and compare models by meaning.",
    discussion: """
      Git then calls 'model merge' for merges, rebases, cherry-picks and stashes, and 'model show' for \
      'git diff' and 'git log -p'.

        storetool git install
        storetool git install --global
        storetool git uninstall
      """,
    subcommands: CommandRow.subcommands(of: Self.self))
}

/// Which of Git's settings are meant.
struct GitInstallationOptions: ParsableArguments {
  @Flag(help: "For all repositories of the user, not only this one.")
  var global = false

  @Flag(help: "Only say what would be done.")
  var dryRun = false

  var scope: GitInstallation.Scope { global ? .global : .repository }

  private struct EntryRecord: Encodable { let state, file, entry: String }

  /// - Parameter state: what is counted in the summary.
  func print(
    _ entries: [GitInstallation.Entry], state: GitInstallation.Entry.State,
    as format: FormatOptions
  ) throws {
    let records = entries.map {
      EntryRecord(state: $0.state.rawValue, file: $0.file, entry: $0.text)
    }
    try FactWriter(format).print(
      .records(columns: ["state", "file", "entry"], records))
    let count = entries.count { $0.state == state }
    let verb = dryRun ? "would be \(state.rawValue)" : state.rawValue
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    Terminal.err.write(count == 0 ? "nothing to do\n" : "\(entries) \(verb)\n")
  }
}

/// `storetool git install`
struct GitInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Writes the settings and attributes by which Git calls this program.",
    discussion: """
      The attributes go to .gitattributes at the top of the work tree, which belongs in version control; the \
      settings to the repository's own configuration, so everybody who clones it installs them once. With \
      --global both are the user's. What else these files hold stays as it is, and a second time changes \
      nothing. For conflicts there is also 'git mergetool --tool=storetool-model'.

        storetool git install
        storetool git install --global --dry-run
      """)

  @OptionGroup var options: GitInstallationOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    let entries = try GitInstallation(options.scope).install(dryRun: options.dryRun)
    try options.print(entries, state: .written, as: format)
  }
}

/// `storetool git uninstall`
struct GitUninstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Takes back what 'git install' has written.",
    discussion: """
      Its lines and settings go, all others stay; a .gitattributes with nothing else in it goes, too.

        storetool git uninstall
        storetool git uninstall --global
      """)

  @OptionGroup var options: GitInstallationOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    let entries = try GitInstallation(options.scope).uninstall(dryRun: options.dryRun)
    try options.print(entries, state: .removed, as: format)
  }
}
