import ArgumentParser
import RecordFormats

/// `storetool git …`: commands that configure Git to merge and compare models.
struct GitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git", _superCommandName: Storetool.name,
    abstract: "Configure Git to merge and compare models semantically.",
    discussion: """
      After 'git install', Git runs 'model merge' for merges, rebases, cherry-picks and stashes, and 'model show' for \
      'git diff' and 'git log -p'.

        storetool git install
        storetool git install --global
        storetool git uninstall
      """,
    subcommands: CommandRow.subcommands(of: Self.self))
}

/// Options for the scope of Git's settings.
struct GitInstallationOptions: ParsableArguments {
  @Flag(help: "Change the user's Git configuration instead of the repository's.")
  var global = false

  @Flag(help: "Print the entries that would be changed without changing them.")
  var dryRun = false

  var scope: GitInstallation.Scope { global ? .global : .repository }

  /// - Parameter state: `written` or `removed`. The line on standard error contains the number of entries in this
  ///   state.
  func print(
    _ entries: [GitInstallation.Entry], state: GitInstallation.Entry.State,
    as format: FormatOptions
  ) throws {
    try FactWriter(format).print(.records(columns: ["state", "file", "entry"], entries))
    let count = entries.count { $0.state == state }
    let verb = dryRun ? "would be \(state.rawValue)" : state.rawValue
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    Terminal.err.write(count == 0 ? "nothing to do\n" : "\(entries) \(verb)\n")
  }
}

struct GitInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Write the settings and attributes that make Git run storetool.",
    discussion: """
      The attributes are written to .gitattributes at the top of the work tree. Commit this file. The settings \
      are written to the configuration of the repository, which isn't cloned, so run 'git install' once in each \
      clone. With --global, both are written to the user's Git configuration. Other content of these \
      files isn't changed, and a second run doesn't change anything. To merge a conflicting model again, use \
      'git mergetool --tool=storetool-model'.

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

struct GitUninstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Remove the settings and attributes that 'git install' wrote.",
    discussion: """
      Other lines and settings aren't changed. A .gitattributes without other content is removed.

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
