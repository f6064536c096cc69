package import StoreDiagnostics

/// The error for a deletion that remaining rows prevent. The store is unchanged.
package struct DeletionRefusal: DiagnosableError, Hashable {
  package enum Reason: Hashable, Sendable {
    /// The relationship's delete rule is Deny: `rows` to delete still refer to `others` that would remain.
    case denied(String, rows: Int, ids: [String], destination: String, others: Int)
    /// The to-one is required: remaining `rows` refer to deleted rows.
    case required(String, rows: Int, ids: [String])
    /// Remaining `rows` would have fewer members in the to-many than the minimum.
    case tooFew(String, minimum: Int, rows: Int, ids: [String])
  }

  package var entity: String
  package var reasons: [Reason]

  package var diagnostics: [Diagnostic] {
    reasons.map { reason in
      switch reason {
      case .denied(let relationship, let rows, let ids, let destination, let others):
        Diagnostic(
          .error, "delete.denied",
          "'\(relationship)' denies the deletion: \(Self.rows(rows)) to delete"
            + " refer\(rows == 1 ? "s" : "") to \(others) \(destination): \(Self.list(ids, of: rows))"
        ).helping("delete these \(destination) first, or link them to another row")
      case .required(let relationship, let rows, let ids):
        Diagnostic(
          .error, "delete.required",
          "'\(relationship)' requires a value: \(Self.rows(rows)) that would remain"
            + " refer\(rows == 1 ? "s" : "") to a row to delete: \(Self.list(ids, of: rows))"
        ).helping("delete these rows first, or set another '\(relationship)'")
      case .tooFew(let relationship, let minimum, let rows, let ids):
        Diagnostic(
          .error, "delete.too-few-members",
          "'\(relationship)' requires at least \(minimum) \("member".plural(minimum))"
            + " (minCount): \(Self.rows(rows)) that would remain would have fewer:"
            + " \(Self.list(ids, of: rows))"
        ).helping("delete these rows first, or add other members")
      }
    }
  }

  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

  private static func list(_ ids: [String], of count: Int) -> String {
    ids.joined(separator: ", ") + (count > ids.count ? ", …" : "")
  }
}
