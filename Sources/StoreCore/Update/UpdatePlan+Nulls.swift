package import StoreDiagnostics
package import StoreModel
import SQLiteAccess

extension UpdatePlan {
  /// A computed value that can be NULL for a row that has a value.
  struct Nullable: Hashable, Sendable {
    var property: String
    var column: String
    /// Over the row as it is before the update.
    var value: SQL
    var causes: Set<NullCause>
  }

  /// One count for each of `nullables`, with a comma before it: the rows whose value becomes NULL.
  var nullCounts: SQL {
    nullables.map { nullable -> SQL in
      """
      , COUNT(*) FILTER (WHERE \(.name(alias, nullable.column)) IS NOT NULL \
      AND \(nullable.value) IS NULL)
      """
    }.joined("")
  }

  /// Warnings about the values that an update has set to NULL, or would set.
  ///
  /// - Parameter isDryRun: whether the rows are still as they were.
  package func nullWarnings(_ outcome: UpdateResult, isDryRun: Bool = false) -> [Diagnostic] {
    nullables.compactMap { nullable in
      guard let count = outcome.becameNull[nullable.property] else { return nil }
      return Diagnostic(
        .warning, "update.became-null",
        """
        '\(nullable.property)' \(isDryRun ? "would become" : "became") NULL in \(count) \
        \("row".plural(count)) because of \(NullCause.phrase(nullable.causes))
        """, cause: .invalid, help: [.request(.chooseRows(orSkipValidation: false))])
    }
  }
}

extension NullCause {
  /// `a division by zero or a NULL operand`
  static func phrase(_ causes: Set<NullCause>) -> String {
    allCases.filter(causes.contains).map(\.words).joined(separator: " or ")
  }

  private var words: String {
    switch self {
    case .division: "a division by zero"
    case .operand: "a NULL operand"
    case .function: "a function that has no result"
    case .written: "a nil in the expression"
    }
  }
}
