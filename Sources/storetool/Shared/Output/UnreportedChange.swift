import RecordFormats
import StoreCore
import StoreDiagnostics

/// A change was committed, but the command couldn't write its result to standard output.
struct UnreportedChange: DiagnosableError {
  /// The changed store; nil for some of the stores of a run of `each`.
  let store: LocalPath?
  let failure: OutputError

  var diagnostics: [DiagnosticMessage] {
    let advice =
      store.map { "'\($0)' has already been changed: don't repeat the command" }
      ?? "stores have already been changed: don't repeat the command for them"
    return failure.diagnostics.map { $0.helping(advice) }
  }

  /// Prints the result of a command that changes a store.
  ///
  /// - Parameters:
  ///   - path: The changed store; nil after a dry run.
  ///   - print: The function that prints the result.
  /// - Throws: `UnreportedChange` if the output can't be written after a change, or another error of `print`.
  static func reporting(_ path: LocalPath?, _ print: () throws -> Void) throws {
    do {
      try print()
    } catch let failure as OutputError {
      guard let path else { throw failure }
      throw UnreportedChange(store: path, failure: failure)
    }
  }
}

extension UnreadValues {
  /// Returns warnings about values that were printed as NULL because their files couldn't be read, and about text
  /// values that aren't UTF-8.
  func warnings(beside store: Store) -> [DiagnosticMessage] {
    let folder = store.externalDataFolder
    func warning(_ count: Int, _ code: String, one: String, many: String) -> DiagnosticMessage? {
      guard count > 0 else { return nil }
      return DiagnosticMessage(
        .warning, "store.\(code)",
        count == 1
          ? "1 file with a value of the store \(one), so the value is shown as NULL"
          : "\(count.grouped) files with values of the store \(many), so the values are shown as NULL"
      )
    }
    return [
      warning(
        counts.missing, "external-value-missing", one: "isn't in '\(folder)'",
        many: "aren't in '\(folder)'")?
        .helping("copy the store together with that folder"),
      warning(
        counts.notFollowed, "external-value-not-followed",
        one: "is a symbolic link, is behind one, or isn't a regular file",
        many: "are symbolic links, are behind one, or aren't regular files")?
        .helping("replace the links at '\(folder)' with their targets"),
      warning(
        counts.unreadable, "external-value-unreadable", one: "in '\(folder)' can't be read",
        many: "in '\(folder)' can't be read"),
      counts.invalidText == 0
        ? nil
        : DiagnosticMessage(
          .warning, "store.invalid-text",
          counts.invalidText == 1
            ? "1 text value of the store isn't UTF-8: its invalid bytes are shown as U+FFFD"
            : "\(counts.invalidText.grouped) text values of the store aren't UTF-8: their invalid bytes are shown as U+FFFD"
        ).helping("to list the rows, run storetool verify"),
    ].compactMap(\.self)
  }
}
