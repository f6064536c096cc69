import StoreDiagnostics
import RecordFormats
import ArgumentParser
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreVerification

/// `storetool compact`
struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", _superCommandName: Storetool.name,
    abstract: "Makes a store's file as small as its rows need.",
    discussion: """
      What deleted rows have left is given back to the disk, the -wal is moved into the file, and \
      the rows of a table lie side by side again. The store has to be whole, and nobody else may \
      have it open. It is one transaction; beside the store and for temporary files together it \
      takes up to twice the room that the store has.

      Files beside the store that no row names are counted; --remove-orphans removes those that \
      verify --repair would remove.

        storetool compact
        storetool compact --dry-run
        storetool compact Old.sqlite --remove-orphans
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: FilePath?

  @Flag(name: .long, help: "Only say what could be saved, and the room that it takes.")
  var dryRun = false

  @Flag(
    name: .long,
    help: "Remove files beside the store that belong to no row and have lain there for an hour.")
  var removeOrphans = false

  @OptionGroup var options: StoreOptions

  @Option(name: .long, help: FormatOptions.help)
  var format: RowFormat?

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = CompactionOutput(format, removes: removeOrphans)
    let workspace = try Workspace(options.naming(path))
    let path = try workspace.storePath(before: dryRun ? .reading : .writing)
    if dryRun {
      let store = try Store.open(path, .reading)
      let result = try PhaseProgress().following { shown in
        try Compaction(of: store, progress: { shown.report($0) }).outlook()
      }
      return try output.printDryRun(result, of: path)
    }
    let store = try Store.openExclusively(path)
    let layout = removeOrphans ? try workspace.layout(of: store) : nil
    let result = try PhaseProgress().following { shown in
      try Compaction(of: store, progress: { shown.report($0) }).run(removingFilesIn: layout)
    }
    try UnreportedChange.reporting(path) { try output.print(result, of: path) }
  }
}

extension Workspace {
  /// By the model that wrote the store, which has to be known: its values tell which files are missing.
  fileprivate func layout(of store: Store) throws -> StoreLayout {
    let found = try model(of: store)
    try found.requireForWriting(store)
    return try store.layout(for: found.model, configuration: found.configuration)
  }
}
