package import StoreDiagnostics

extension AnonymizationError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    switch self {
    case .noRules(let paths):
      [
        Diagnostic(
          .error, "anonymize.no-rule",
          "nothing says what becomes of \(paths.count) \("attribute".plural(paths.count)): "
            + paths.joined(separator: ", "),
          help: [.store(.proposeRules), "the rule 'keep' leaves values as they are"])
      ]
    case .otherContent(let content):
      [
        Diagnostic(
          .error, "anonymize.other-content",
          "the store holds what is not of its model and may have copies of values: \(content.listed)",
          help: [.store(.chooseOtherContent)])
      ]
    case .undroppable(let name, let words):
      [
        Diagnostic(
          .error, "anonymize.undroppable", "'\(name)' can't be dropped: \(words)",
          help: ["drop it where what it needs is there, such as in its app"])
      ]
    case .strayValues(let attribute, let count):
      [
        Diagnostic(
          .error, "anonymize.stray-value",
          "'\(attribute)' would be kept, and \(Self.counted(count, "value")) of it \(count == 1 ? "is" : "are") text or data",
          help: ["give it a rule: 'null' or a constant takes any value"])
      ]
    case .strayReferences(let table, let column, let count):
      [
        Diagnostic(
          .error, "anonymize.stray-value",
          "the column \(column) of \(table) refers to rows, and \(Self.counted(count, "value")) of it \(count == 1 ? "is" : "are") text or data",
          help: ["no rule replaces them: set them to NULL or to the key of a row"])
      ]
    case .strayRows(let table, let count):
      [
        Diagnostic(
          .error, "anonymize.stray-row",
          "\(table) has \(Self.counted(count, "row")) of no entity of the model, so no rule is for them",
          help: [.store(.repair)])
      ]
    case .unfitValue(let words):
      [
        Diagnostic(
          .error, "anonymize.unfit-value", words,
          help: ["'null' or a constant takes any value"])
      ]
    case .notUnique(let words):
      [
        Diagnostic(
          .error, "anonymize.not-unique", "values that have to differ became alike: \(words)",
          help: ["'hash' tells them apart for sure"])
      ]
    case .missingFiles(let names, let folder):
      [
        Diagnostic(
          .error, "anonymize.missing-files",
          "rows name \(names.count) \("file".plural(names.count)) that '\(folder)' doesn't have, "
            + "and the replaced rows would not name them any more; the first: \(names[0])",
          help: [
            "if the store was renamed, rename its folder '.NAME_SUPPORT' as well",
            "a copy leaves the store as it is: anonymize into another file",
          ])
      ]
    case .rowsDiffer(let table, let before, let after):
      [
        Diagnostic(
          .error, "anonymize.rows-differ",
          "\(table) would have \(after ?? 0) rows, and has \(before ?? 0); nothing was written",
          cause: .bug, help: ["this is a bug in storetool: please report it with the model"])
      ]
    }
  }

  private static func counted(_ count: Int64, _ noun: String) -> String {
    "\(count) \(noun.plural(count))"
  }
}
