import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
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

  @Flag(help: "Only say what could be saved, and the room that it takes.")
  var dryRun = false

  @Flag(
    help: "Remove files beside the store that belong to no row and have lain there for an hour.")
  var removeOrphans = false

  @OptionGroup var options: StoreOptions

  @Option(help: FormatOptions.help)
  var format: RowFormat?

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = CompactionOutput(format: format, removes: removeOrphans)
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

/// Prints what compacting a store has brought: facts where a format is asked for, a sentence on standard error.
struct CompactionOutput {
  let format: RowFormat?
  /// Whether files of no row are to be removed.
  let removes: Bool

  func printDryRun(_ result: CompactionResult, of store: FilePath) throws {
    try FactWriter(format ?? .standard).print(.page(CompactionFacts(result, of: store)))
    Terminal.err.write(
      """
      '\(store)' has \(ByteCount.text(result.bytesBefore)), of which at least \
      \(ByteCount.text(result.freeBytes)) are empty; it is as it was

      """)
    Terminal.report(remarks(on: result))
  }

  func print(_ result: CompactionResult, of store: FilePath) throws {
    if let format { try FactWriter(format).print(.page(CompactionFacts(result, of: store))) }
    let after = result.bytesAfter.map { ", \(ByteCount.text($0)) after" } ?? ""
    let files =
      result.removedFiles.isEmpty
      ? "" : "; removed \(result.removedFiles.count.counted("file")) of no row"
    Terminal.err.write(
      "compacted '\(store)': \(ByteCount.text(result.bytesBefore)) before\(after)\(files)\n")
    Terminal.report(remarks(on: result))
  }

  private func remarks(on result: CompactionResult) -> [Diagnostic] {
    let doubtful = Set(result.doubtfulFiles)
    let idle = result.orphanFiles.filter { !doubtful.contains($0) }
    return [
      idle.first.map { first in
        let remark = Diagnostic(
          .note, "compact.orphan-file", "\(idle.count.counted("file")) beside the store, of no row",
          help: ["the first: \(first)"])
        return removes ? remark : remark.helping("--remove-orphans removes what is surely of none")
      },
      result.doubtfulFiles.first.map {
        Diagnostic(
          .note, "compact.doubtful-file",
          "left \(result.doubtfulFiles.count.counted("file")) of no row: files of values are missing, and "
            + "under another name they may be these", help: ["the first: \($0)"])
      },
      result.youngFiles.first.map {
        Diagnostic(
          .note, "compact.young-file",
          "left \(result.youngFiles.count.counted("file")) of no row: not an hour old, so a program may be "
            + "about to write the row", help: ["the first: \($0)"])
      },
      result.filesLeft.first.map {
        Diagnostic(
          .warning, "compact.file-left",
          "\(result.filesLeft.count.counted("file")) of no row could not be removed",
          help: ["the first: \($0)"])
      },
    ].compactMap(\.self)
  }
}

/// The facts of `compact`.
struct CompactionFacts: Encodable {
  let store: FilePath
  let bytesBefore: Int64
  let bytesAfter: Int64?
  let freeBytes: Int64
  let removedFiles, orphanFiles, youngFiles: [String]
  let room: [Need]

  struct Need: Encodable {
    let folder: FilePath
    let bytes: Int64
  }

  init(_ result: CompactionResult, of store: FilePath) {
    (self.store, bytesBefore) = (store, result.bytesBefore)
    (bytesAfter, freeBytes) = (result.bytesAfter, result.freeBytes)
    (removedFiles, orphanFiles) = (result.removedFiles, result.orphanFiles)
    youngFiles = result.youngFiles
    room = result.needs.map { Need(folder: $0.folder, bytes: $0.bytes) }
  }
}
