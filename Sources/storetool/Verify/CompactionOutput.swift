import RecordFormats
import StoreDiagnostics
import StoreVerification

/// Prints what compacting a store has brought: facts where a format is asked for, a sentence on standard error.
struct CompactionOutput {
  private let format: RowFormat?
  /// Whether files of no row are to be removed.
  private let removes: Bool

  init(_ format: RowFormat?, removes: Bool) {
    self.format = format
    self.removes = removes
  }

  func printDryRun(_ result: CompactionResult, of store: FilePath) throws {
    try FactWriter(format ?? .standard).print(facts(of: result, store))
    Terminal.err.write(
      """
      '\(store)' has \(ByteCount.text(result.bytesBefore)), of which at least \
      \(ByteCount.text(result.freeBytes)) are empty; it is as it was

      """)
    Terminal.report(remarks(on: result))
  }

  func print(_ result: CompactionResult, of store: FilePath) throws {
    if format != nil { try FactWriter(format ?? .standard).print(facts(of: result, store)) }
    let after = result.bytesAfter.map { ", \(ByteCount.text($0)) after" } ?? ""
    let files =
      result.removedFiles.isEmpty
      ? "" : "; removed \(Self.files(result.removedFiles)) of no row"
    Terminal.err.write(
      "compacted '\(store)': \(ByteCount.text(result.bytesBefore)) before\(after)\(files)\n")
    Terminal.report(remarks(on: result))
  }

  private func facts(of result: CompactionResult, _ store: FilePath) -> Facts {
    var page = FactObject()
    page.add("store", store)
    page.add("bytesBefore", result.bytesBefore)
    page.add("bytesAfter", result.bytesAfter)
    page.add("freeBytes", result.freeBytes)
    page.add("removedFiles", result.removedFiles)
    page.add("orphanFiles", result.orphanFiles)
    page.add("youngFiles", result.youngFiles)
    page.add(
      "room",
      result.needs.map { need in
        var object = FactObject()
        object.add("folder", need.folder)
        object.add("bytes", need.bytes)
        return object
      })
    return .page(page.value)
  }

  private func remarks(on result: CompactionResult) -> [Diagnostic] {
    let doubtful = Set(result.doubtfulFiles)
    let idle = result.orphanFiles.filter { !doubtful.contains($0) }
    return [
      idle.first.map { first in
        let remark = Diagnostic(
          .note, "compact.orphan-file", "\(Self.files(idle)) beside the store, of no row",
          help: ["the first: \(first)"])
        return removes ? remark : remark.helping("--remove-orphans removes what is surely of none")
      },
      result.doubtfulFiles.first.map {
        Diagnostic(
          .note, "compact.doubtful-file",
          "left \(Self.files(result.doubtfulFiles)) of no row: files of values are missing, and "
            + "under another name they may be these", help: ["the first: \($0)"])
      },
      result.youngFiles.first.map {
        Diagnostic(
          .note, "compact.young-file",
          "left \(Self.files(result.youngFiles)) of no row: not an hour old, so a program may be "
            + "about to write the row", help: ["the first: \($0)"])
      },
      result.filesLeft.first.map {
        Diagnostic(
          .warning, "compact.file-left",
          "\(Self.files(result.filesLeft)) of no row could not be removed",
          help: ["the first: \($0)"])
      },
    ].compactMap(\.self)
  }

  private static func files(_ names: [String]) -> String {
    "\(names.count) \("file".plural(names.count))"
  }
}
