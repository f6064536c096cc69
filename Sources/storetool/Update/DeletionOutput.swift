import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore

/// Prints what a deletion has done, or would do: the result on standard output, a sentence about it on
/// standard error.
struct DeletionOutput {
  private let options: BatchResultOptions
  private let format: FormatOptions

  init(_ options: BatchResultOptions, _ format: FormatOptions) {
    self.options = options
    self.format = format
  }

  func print(
    _ outcome: Store.DeletionReport, of plan: DeletePlan, in store: OpenStore
  ) throws {
    Terminal.err.write(outcome.sentence + "\n")
    Terminal.report(outcome.warnings(beside: store.store))
    try BatchOutput(options: options, format: format).print(
      count: outcome.findings.deletedCount, facts: DeletionFacts(outcome.findings),
      ids: store.store.deletedObjectIDs(of: plan), from: store)
  }

  func printPreview(
    _ outcome: Store.DeletionReport, of plan: DeletePlan, in store: OpenStore,
    on connection: Connection
  ) throws {
    if options.ids {
      try RowOutput(format).printIDs(
        store.store.deletedObjectIDs(of: plan), from: store, on: connection)
    } else if options.count, format.format == nil {
      try OutputFile.standard.write("\(outcome.findings.deletedCount)\n")
    } else {
      try FactWriter(format).print(.page(DeletionFacts(dryRun: outcome)))
    }
  }
}

extension Store.DeletionReport {
  /// `deleted 3 Item, 1 List; set 4 Item.list to nil`
  fileprivate var sentence: String {
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }
        .joined(separator: ", ")
    }
    guard findings.deletedCount > 0 else { return "deleted nothing" }
    var parts = ["deleted \(list(findings.deleted))"]
    if !findings.nullified.isEmpty { parts.append("nullified \(list(findings.nullified))") }
    if files > 0 { parts.append("removed \(files.grouped) \("file".plural(files))") }
    return parts.joined(separator: "; ")
  }

  fileprivate func warnings(beside store: Store) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    if !findings.dangling.isEmpty {
      let list = findings.dangling.sorted { $0.key < $1.key }
        .map { "\($0.key) (\($0.value.grouped))" }.joined(separator: ", ")
      warnings.append(
        Diagnostic(.warning, "delete.dangling", "references lead to rows that are gone: \(list)"))
    }
    if let first = filesLeft.first {
      warnings.append(
        Diagnostic(
          .warning, "delete.file-left",
          "files of deleted values could not be removed: \(filesLeft.count.grouped), '\(first)' first",
          help: [store.link(toValue: first)].compactMap { link in
            link.map { "'\($0)' is a symbolic link; it is not followed" }
          }))
    }
    return warnings
  }
}
