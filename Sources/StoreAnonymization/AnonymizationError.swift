package import StoreDiagnostics
import StoreLayout

/// Why a store was not anonymized; it is as it was.
package enum AnonymizationError: Error, Hashable, Sendable {
  /// Attributes of which nothing is said: `Person.name`.
  case noRules([String])
  /// What the file holds besides the model's rows, and what may hold copies of their values.
  case otherContent(OtherContent)
  /// Something of that can't be dropped, in SQLite's words.
  case undroppable(String, words: String)
  /// Values that no attribute has a rule for, since they are not of its type.
  case strayValues(attribute: String, count: Int64)
  /// Text or data where keys of rows, numbers of entities or places in orders are.
  case strayReferences(table: String, column: String, count: Int64)
  /// Rows of no entity of the model.
  case strayRows(table: String, count: Int64)
  /// A value that its rule can't take.
  case unfitValue(String)
  /// New values are alike where they may not be, in SQLite's words.
  case notUnique(words: String)
  /// Rows name files that are missing, so that a replaced value could not be found again.
  case missingFiles([String], folder: FilePath)
  /// The new store has other rows.
  case rowsDiffer(table: String, before: Int64?, after: Int64?)
}

extension AnonymizationError: DiagnosableError {
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .noRules(let paths):
      Diagnostic(
        .error, "anonymize.no-rule",
        "nothing says what becomes of \(paths.count) \("attribute".plural(paths.count)): "
          + paths.joined(separator: ", "),
        help: [.store(.proposeRules), "the rule 'keep' leaves values as they are"])
    case .otherContent(let content):
      Diagnostic(
        .error, "anonymize.other-content",
        "the store holds what is not of its model and may have copies of values: \(content.listed)",
        help: [.store(.chooseOtherContent)])
    case .undroppable(let name, let words):
      Diagnostic(
        .error, "anonymize.undroppable", "'\(name)' can't be dropped: \(words)",
        help: ["drop it where what it needs is there, such as in its app"])
    case .strayValues(let attribute, let count):
      Diagnostic(
        .error, "anonymize.stray-value",
        "'\(attribute)' would be kept, and \(Self.counted(count, "value")) of it \(count == 1 ? "is" : "are") text or data",
        help: ["give it a rule: 'null' or a constant takes any value"])
    case .strayReferences(let table, let column, let count):
      Diagnostic(
        .error, "anonymize.stray-value",
        "the column \(column) of \(table) refers to rows, and \(Self.counted(count, "value")) of it \(count == 1 ? "is" : "are") text or data",
        help: ["no rule replaces them: set them to NULL or to the key of a row"])
    case .strayRows(let table, let count):
      Diagnostic(
        .error, "anonymize.stray-row",
        "\(table) has \(Self.counted(count, "row")) of no entity of the model, so no rule is for them",
        help: [.store(.repair)])
    case .unfitValue(let words):
      Diagnostic(
        .error, "anonymize.unfit-value", words,
        help: ["'null' or a constant takes any value"])
    case .notUnique(let words):
      Diagnostic(
        .error, "anonymize.not-unique", "values that have to differ became alike: \(words)",
        help: ["'hash' tells them apart for sure"])
    case .missingFiles(let names, let folder):
      Diagnostic(
        .error, "anonymize.missing-files",
        "rows name \(names.count) \("file".plural(names.count)) that '\(folder)' doesn't have, "
          + "and the replaced rows would not name them any more; the first: \(names[0])",
        help: [
          "if the store was renamed, rename its folder '.NAME_SUPPORT' as well",
          "a copy leaves the store as it is: anonymize into another file",
        ])
    case .rowsDiffer(let table, let before, let after):
      Diagnostic(
        .error, "anonymize.rows-differ",
        "\(table) would have \(after ?? 0) rows, and has \(before ?? 0); nothing was written",
        cause: .bug, help: ["this is a bug in storetool: please report it with the model"])
    }
  }

  private static func counted(_ count: Int64, _ noun: String) -> String {
    "\(count) \(noun.plural(count))"
  }
}
