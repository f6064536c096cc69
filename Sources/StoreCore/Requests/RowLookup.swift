import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel
package import StorePredicate

/// Finds the row that matches a predicate, as in `list:=(title == "Home")`.
package struct RowLookup {
  private let layout: StoreLayout
  private let store: String
  private let connection: Connection

  /// - Parameter store: the UUID of the store.
  package init(in layout: StoreLayout, store: String, on connection: Connection) {
    self.layout = layout
    self.store = store
    self.connection = connection
  }

  /// Returns the only row that matches a predicate.
  ///
  /// - Throws: `RowLookupError` if no row or several rows match; `CheckErrors`, `DatabaseError`.
  package func onlyRow(of entity: String, where checked: CheckedPredicate) throws -> ObjectID {
    var request = CheckedRequest(entity: entity, predicate: checked.typed)
    request.limit = 2
    request.result = .objectIDs
    let query = try request.compiled(in: layout, store, RequestTexts()) {
      compiler throws(CheckError) in try compiler.compile()
    }
    let rows = try connection.rows(query.sql)
    guard let row = rows.first, rows.count == 1,
      case .objectID(let keyIndex, let source)? = query.columns.first?.source,
      case .integer(let key) = row[keyIndex]
    else {
      throw RowLookupError(
        entity: entity, predicate: checked.predicate.format, isAmbiguous: rows.count > 1)
    }
    let name: String? =
      switch source {
      case .fixed(let only): only
      case .number(let index): row[index].integer.flatMap { layout.entity(numbered: $0)?.name }
      }
    return ObjectID(store: store, entity: name ?? entity, primaryKey: key)
  }
}

/// The error if no row or several rows match a predicate.
package struct RowLookupError: DiagnosableError, Hashable {
  package var entity: String
  package var predicate: String
  /// Whether several rows match.
  package var isAmbiguous: Bool

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  var diagnostic: DiagnosticMessage {
    let found = isAmbiguous ? "several" : "no"
    return DiagnosticMessage(
      .error, isAmbiguous ? "value.several-matches" : "value.no-match",
      "\(found) '\(entity)' \(isAmbiguous ? "rows match" : "row matches") \(predicate)",
      help: [.request(.showMatches(entity: entity))])
  }
}

/// The description of a row by a predicate in parentheses, such as `(title == "Home")`. The predicate must match
/// exactly one row.
///
/// The values of to-one relationships in records, updates and insertions can be such descriptions, and so can the
/// variables of templates.
package struct RowDescription: Hashable, Sendable {
  private let text: PredicateText

  /// Nil for a text that doesn't begin with a parenthesis.
  package init?(_ text: PredicateText) {
    guard Self.begins(text.text.utf8) else { return nil }
    self.text = text
  }

  /// Returns the predicate.
  ///
  /// - Throws: `DiagnosticError` for a text that isn't a predicate, `CheckErrors` for a predicate that doesn't fit the
  ///   entity, with their location in the text.
  package func predicate(of entity: String, in model: DataModel) throws -> CheckedPredicate {
    try PredicateChecker(model: model, entity: entity).check(text.predicate(), in: text)
  }

  /// Returns whether a text with these bytes is a description of a row. Leading blanks are ignored.
  @inline(__always)
  static func begins(_ text: some Sequence<UInt8>) -> Bool {
    for byte in text where !isBlank(byte) { return byte == UInt8(ascii: "(") }
    return false
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
