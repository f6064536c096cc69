import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreVerification

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", _superCommandName: Storetool.name,
    abstract: "Reduce the size of a store's file.",
    discussion: """
      This command reclaims the space of deleted rows, moves the content of the -wal file to the main file, and stores \
      the rows of each table contiguously. The SQLite file must be intact, and must not be open in another program. \
      All changes are made in one transaction. In the folder of the store and in the folder of temporary files, the \
      command requires free space of about the size of the store.
      With --dry-run or --format, the output lists orphaned files: files that contain a large value but belong to no \
      row. --remove-orphans removes the same files as 'verify --repair'.

        storetool compact
        storetool compact --dry-run
        storetool compact Old.sqlite --remove-orphans
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @Flag(help: "Only print the possible savings and the required space.")
  var dryRun = false

  @Flag(
    help: "Remove orphaned files that are older than an hour.")
  var removeOrphans = false

  @OptionGroup var options: StoreOptions

  @Option(help: FormatOptions.resultHelp)
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
  /// Returns the layout of the model that wrote the store. It is required to find the files that values refer to.
  fileprivate func layout(of store: Store) throws -> StoreLayout {
    let found = try model(of: store)
    try found.requireForWriting(store)
    return try store.layout(for: found.model, configuration: found.configuration)
  }
}

/// Prints the result of compacting a store or of a dry run: a sentence and notes on standard error and, in a dry run or
/// if a format is specified, `CompactionFacts` on standard output.
struct CompactionOutput {
  let format: RowFormat?
  /// Whether the command removes orphaned files.
  let removes: Bool

  func printDryRun(_ result: CompactionResult, of store: LocalPath) throws {
    try FactWriter(format ?? .standard).print(.page(CompactionFacts(result, of: store)))
    let unused =
      result.freeBytes == 0
      ? "" : ", of which at least \(ByteCount.text(result.freeBytes)) are unused"
    Terminal.err.write(
      "'\(store)' is \(ByteCount.text(result.bytesBefore))\(unused); it wasn't changed\n")
    Terminal.report(remarks(on: result))
  }

  func print(_ result: CompactionResult, of store: LocalPath) throws {
    if let format { try FactWriter(format).print(.page(CompactionFacts(result, of: store))) }
    let after = result.bytesAfter.map { ", \(ByteCount.text($0)) after" } ?? ""
    let files =
      result.removedFiles.isEmpty
      ? "" : "; removed \(result.removedFiles.count.counted("orphaned file"))"
    Terminal.err.write(
      "compacted '\(store)': \(ByteCount.text(result.bytesBefore)) before\(after)\(files)\n")
    Terminal.report(remarks(on: result))
  }

  private func remarks(on result: CompactionResult) -> [DiagnosticMessage] {
    let doubtful = Set(result.doubtfulFiles)
    let idle = result.orphanFiles.filter { !doubtful.contains($0) }
    let idleRemark = DiagnosticMessage.remark(.note, "compact.orphan-file", on: idle) {
      "\($0) next to the store"
    }
    return [
      removes
        ? idleRemark
        : idleRemark?.helping("--remove-orphans removes files that are definitely orphaned"),
      .doubtfulFiles(result.doubtfulFiles, of: "compact"),
      .youngFiles(result.youngFiles, of: "compact"),
      .remark(.warning, "compact.file-left", on: result.filesLeft) { "\($0) couldn't be removed" },
    ].compactMap(\.self)
  }
}

/// The output of `compact`.
struct CompactionFacts: Encodable {
  let store: LocalPath
  let bytesBefore: Int64
  let bytesAfter: Int64?
  let freeBytes: Int64
  let removedFiles, orphanFiles, youngFiles: [String]
  let room: [Need]

  struct Need: Encodable {
    let folder: LocalPath
    let bytes: Int64
  }

  init(_ result: CompactionResult, of store: LocalPath) {
    (self.store, bytesBefore) = (store, result.bytesBefore)
    (bytesAfter, freeBytes) = (result.bytesAfter, result.freeBytes)
    (removedFiles, orphanFiles) = (result.removedFiles, result.orphanFiles)
    youngFiles = result.youngFiles
    room = result.needs.map { Need(folder: $0.folder, bytes: $0.bytes) }
  }
}

/// Remarks about orphaned files; nil if there are none.
extension DiagnosticMessage {
  static func remark(
    _ severity: Severity, _ code: String, on files: [String], _ message: (String) -> String
  ) -> DiagnosticMessage? {
    files.first.map {
      DiagnosticMessage(
        severity, code, message(files.count.counted("orphaned file")), help: ["the first: \($0)"])
    }
  }

  static func doubtfulFiles(_ files: [String], of command: String) -> DiagnosticMessage? {
    remark(.note, "\(command).doubtful-file", on: files) {
      "kept \($0): files of values are missing, and these may be renamed copies of them"
    }
  }

  static func youngFiles(_ files: [String], of command: String) -> DiagnosticMessage? {
    remark(.note, "\(command).young-file", on: files) {
      "kept \($0): less than an hour old, so a program might be about to write a row that refers to the file"
    }
  }
}
