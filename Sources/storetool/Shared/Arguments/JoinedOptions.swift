import ArgumentParser
import StoreDiagnostics
import StorePredicate

/// The option `--where`. If it is repeated, rows must match all predicates.
struct WhereOption: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Select rows that match this predicate. May be repeated. Rows must match all of the predicates.",
      valueName: "predicate"),
    completion: .predicate())
  var predicates: [String] = []

  /// Parses the predicates, joined by AND, and prints remarks about the result.
  ///
  /// - Returns: The joined text and the parsed predicate; nil without a predicate.
  /// - Throws: `DiagnosticError` for an invalid predicate.
  func predicate() throws -> (PredicateText, FormatPredicate)? {
    guard let text = try text() else { return nil }
    let predicate = try text.predicate()
    Terminal.report(predicate.remarks.map(text.diagnostic))
    return (text, predicate)
  }

  /// Returns the predicates, joined by AND, as one text, to which the positions of errors refer; nil without
  /// predicates.
  ///
  /// - Throws: `DiagnosticError` for the first predicate that isn't valid on its own.
  func text() throws -> PredicateText? {
    func text(_ predicate: String) -> PredicateText {
      PredicateText(predicate, context: "in --where")
    }
    guard predicates.count > 1 else { return predicates.first.map(text) }
    for predicate in predicates { _ = try text(predicate).predicate() }
    return text(predicates.map { "(\($0))" }.joined(separator: " AND "))
  }
}

/// The options `--sort`, `--select` and `--group-by`. If they are repeated, their lists are joined.
enum ListOption {
  /// Returns the lists, joined by commas, as one text; nil if there are none.
  ///
  /// - Throws: `DiagnosticError` for the first list that isn't valid on its own.
  static func text(
    of lists: [String], _ style: ListedExpression.Style, _ option: String
  ) throws -> PredicateText? {
    func text(_ list: String) -> PredicateText { PredicateText(list, context: "in \(option)") }
    guard lists.count > 1 else { return lists.first.map(text) }
    for list in lists { _ = try text(list).list(as: style) }
    return text(lists.joined(separator: ","))
  }
}
