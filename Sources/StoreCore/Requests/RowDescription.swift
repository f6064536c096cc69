package import StoreModel
package import StorePredicate

/// One row, described where an object is wanted by a predicate in parentheses that it alone matches:
/// `(title == "Home")`.
///
/// Assignments of templates, updates and inserts take it, and to-one values of records.
package struct RowDescription: Hashable, Sendable {
  private let text: PredicateText

  /// Nil for a text that does not begin with a parenthesis.
  package init?(_ text: PredicateText) {
    guard Self.begins(text.text.utf8) else { return nil }
    self.text = text
  }

  /// What the row matches.
  ///
  /// - Throws: `DiagnosticError` for a text that is not a predicate, `CheckErrors` for one that does not
  ///   fit the entity; each at its place in the text.
  package func predicate(of entity: String, in model: Model) throws -> CheckedPredicate {
    try PredicateChecker(model: model, entity: entity).check(text.predicate(), in: text)
  }

  /// Whether a text with these bytes would be one; blanks before it do not count.
  @inline(__always)
  static func begins(_ text: some Sequence<UInt8>) -> Bool {
    for byte in text where !isBlank(byte) { return byte == UInt8(ascii: "(") }
    return false
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
