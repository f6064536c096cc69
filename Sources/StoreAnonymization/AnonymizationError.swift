package import StoreDiagnostics
import StoreLayout

/// The reason why a store wasn't anonymized. The store remains unchanged.
package enum AnonymizationError: Error, Hashable, Sendable {
  /// Attributes without a rule, such as `Person.name`.
  case noRules([String])
  /// Content of the file that isn't in the model and can contain copies of values.
  case otherContent(OtherContent)
  /// A table outside of the model that can't be dropped, with SQLite's reason.
  case undroppable(String, words: String)
  /// Text or data in an attribute whose numbers or dates are kept.
  case strayValues(attribute: String, count: Int64)
  /// Text or data in a column for primary keys, entity numbers or positions.
  case strayReferences(table: String, column: String, count: Int64)
  /// Rows whose entity number isn't in the model.
  case strayRows(table: String, count: Int64)
  /// The message about a value that its rule can't replace.
  case unfitValue(String)
  /// New values violate a uniqueness constraint, with SQLite's message.
  case notUnique(words: String)
  /// Rows refer to missing files. If the files are in another folder, they would keep the old values.
  case missingFiles([String], folder: LocalPath)
  /// A table has another number of rows after the anonymization.
  case rowsDiffer(table: String, before: Int64?, after: Int64?)
}

extension AnonymizationError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noRules(let paths):
      DiagnosticMessage(
        .error, "anonymize.no-rule",
        "\(paths.count) \("attribute".plural(paths.count)) \(paths.count == 1 ? "has" : "have") no rule: "
          + paths.joined(separator: ", "),
        help: [.store(.proposeRules), "the rule 'keep' leaves values as they are"])
    case .otherContent(let content):
      DiagnosticMessage(
        .error, "anonymize.other-content",
        "the store has content that isn't in its model and can contain copies of values: \(content.listed)",
        help: [.store(.chooseOtherContent)])
    case .undroppable(let name, let words):
      DiagnosticMessage(
        .error, "anonymize.undroppable", "'\(name)' can't be dropped: \(words)",
        help: ["drop it in a program with the modules that it requires, such as its app"])
    case .strayValues(let attribute, let count):
      DiagnosticMessage(
        .error, "anonymize.stray-value",
        "'\(attribute)' would be kept, but \(count) of its values \(count == 1 ? "is" : "are") text or data",
        help: ["add a rule: 'null' or a constant replaces any value"])
    case .strayReferences(let table, let column, let count):
      DiagnosticMessage(
        .error, "anonymize.stray-value",
        "the column \(column) of \(table) refers to rows, but \(count) of its values \(count == 1 ? "is" : "are") text or data",
        help: ["no rule replaces them: set them to NULL or to the key of a row"])
    case .strayRows(let table, let count):
      DiagnosticMessage(
        .error, "anonymize.stray-row",
        "\(table) has \(count) \("row".plural(count)) without an entity of the model, to which no rule applies",
        help: [.store(.repair)])
    case .unfitValue(let words):
      DiagnosticMessage(
        .error, "anonymize.unfit-value", words,
        help: ["'null' or a constant replaces any value"])
    case .notUnique(let words):
      DiagnosticMessage(
        .error, "anonymize.not-unique", "values that must be unique became equal: \(words)",
        help: ["'hash' always results in different values"])
    case .missingFiles(let names, let folder):
      DiagnosticMessage(
        .error, "anonymize.missing-files",
        "rows refer to \(names.count) \("file".plural(names.count)) that '\(folder)' doesn't contain, "
          + "and the replaced rows would no longer refer to them; the first: \(names[0])",
        help: [
          "if the store was renamed, rename its folder '.NAME_SUPPORT' as well",
          "anonymize into another file, which leaves the store unchanged",
        ])
    case .rowsDiffer(let table, let before, let after):
      DiagnosticMessage(
        .error, "anonymize.rows-differ",
        "\(table) would have \(after ?? 0) rows instead of \(before ?? 0); nothing was written",
        cause: .bug, help: ["this is a bug in storetool: please report it with the model"])
    }
  }
}
