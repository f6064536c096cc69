import ArgumentParser
import StoreDiagnostics
import StorePredicate

/// `--where`, of which there may be several: all of them have to hold.
enum WhereOption {
  static let name: NameSpecification = .customLong("where")
  static let help = ArgumentHelp(
    "Select rows that match this predicate. May be repeated, and rows must match all.",
    valueName: "predicate")

  /// What all of them ask for; what their writer should be told is told.
  ///
  /// - Throws: `DiagnosticError`
  static func predicate(of predicates: [String]) throws -> (PredicateText, FormatPredicate)? {
    guard let text = try text(of: predicates) else { return nil }
    let predicate = try text.predicate()
    Terminal.report(predicate.remarks.map(text.diagnostic))
    return (text, predicate)
  }

  /// One text for all of them, so that a mistake in it still has its place; nil without any.
  ///
  /// - Throws: `DiagnosticError` for the first one that is not a predicate by itself.
  static func text(of predicates: [String]) throws -> PredicateText? {
    guard predicates.count > 1 else { return predicates.first.map(text) }
    for predicate in predicates { _ = try text(predicate).predicate() }
    return text(predicates.map { "(\($0))" }.joined(separator: " AND "))
  }

  private static func text(_ predicate: String) -> PredicateText {
    PredicateText(predicate, context: "in --where")
  }
}

/// `--sort`, `--select` and `--group-by`, of which there may be several: one list.
enum ListOption {
  /// One text for all of them; nil without any.
  ///
  /// - Throws: `DiagnosticError` for the first one that is not a list by itself.
  static func text(
    of lists: [String], _ style: ListedExpression.Style, _ option: String
  ) throws -> PredicateText? {
    func text(_ list: String) -> PredicateText { PredicateText(list, context: "in \(option)") }
    guard lists.count > 1 else { return lists.first.map(text) }
    for list in lists { _ = try text(list).list(as: style) }
    return text(lists.joined(separator: ","))
  }
}
