package import StoreDiagnostics

/// The error for a deletion that remaining rows prevent. The store is unchanged.
package struct DeletionRefusal: DiagnosableError, Hashable {
  package enum Reason: Hashable, Sendable {
    /// The relationship's delete rule is Deny. `rows` is the number of rows to delete that still refer to remaining
    /// rows, and `others` is the number of these references.
    case denied(String, rows: Int, ids: [String], destination: String, others: Int)
    /// The to-one relationship is required. `rows` is the number of remaining rows that refer to deleted rows.
    case required(String, rows: Int, ids: [String])
    /// `rows` is the number of remaining rows that would have fewer members in the to-many relationship than the
    /// minimum.
    case tooFew(String, minimum: Int, rows: Int, ids: [String])
  }

  package var entity: String
  package var reasons: [Reason]

  package var diagnostics: [DiagnosticMessage] {
    reasons.map { reason in
      switch reason {
      case .denied(let relationship, let rows, let ids, let destination, let others):
        DiagnosticMessage(
          .error, "delete.denied",
          "the Deny rule of '\(relationship)' prevents the deletion: \(others) '\(destination)'"
            + " \("row".plural(others)) \(others == 1 ? "is" : "are") still linked to"
            + " \(Self.rows(rows, of: relationship)): \(Self.list(ids, of: rows))"
        ).helping(
          "delete the '\(destination)' rows first, or link them to another '\(Self.owner(relationship))'"
        )
      case .required(let relationship, let rows, let ids):
        DiagnosticMessage(
          .error, "delete.required",
          "'\(relationship)' requires a value, but \(Self.rows(rows, of: relationship))"
            + " refer\(rows == 1 ? "s" : "") to a row that would be deleted: \(Self.list(ids, of: rows))"
        ).helping(
          "delete these '\(Self.owner(relationship))' rows too, or link them to other rows first")
      case .tooFew(let relationship, let minimum, let rows, let ids):
        DiagnosticMessage(
          .error, "delete.too-few-members",
          "after the deletion, \(Self.rows(rows, of: relationship)) would have too few"
            + " '\(Self.property(relationship))' (minimum \(minimum)): \(Self.list(ids, of: rows))"
        ).helping("delete these '\(Self.owner(relationship))' rows too, or add other members")
      }
    }
  }

  /// Returns a number of rows, such as `2 'Department' rows`.
  private static func rows(_ count: Int, of relationship: String) -> String {
    "\(count) '\(owner(relationship))' \("row".plural(count))"
  }

  /// Returns the entity in `Entity.relationship`.
  private static func owner(_ relationship: String) -> String {
    String(relationship.prefix { $0 != "." })
  }

  /// Returns the relationship in `Entity.relationship`.
  private static func property(_ relationship: String) -> String {
    relationship.split(separator: ".").last.map(String.init) ?? relationship
  }

  private static func list(_ ids: [String], of count: Int) -> String {
    ids.joined(separator: ", ") + (count > ids.count ? ", …" : "")
  }
}
