import SQLiteAccess
import PredicateSQL

/// A migration as a text of SQL with all values written out, for other SQLite engines.
///
/// Neither the questions nor the proof are in it: who runs it has answered them before.
package struct MigrationScript: Hashable, Sendable {
  package let text: String
  /// Functions of ours that it calls, by name: another engine would have to have them.
  package let functions: [String]

  /// - Parameter wrapsTransaction: some services run every script in a transaction of their own, and
  ///   take no `BEGIN`.
  package init(_ migration: Migration, wrapsTransaction: Bool = true) {
    var lines = ["-- '\(Self.comment(migration.source))' → '\(Self.comment(migration.target))'"]
    for plan in migration.plans {
      lines += plan.checks.map { "-- must have no row: \(Self.comment($0.offenders.literalText))" }
      lines += plan.losses.map {
        "-- lost from \(Self.comment($0.name)): \(Self.comment($0.count.literalText))"
      }
    }
    if wrapsTransaction { lines.append("BEGIN IMMEDIATE;") }
    for step in migration.steps {
      let isQuestion = step.question != nil
      lines.append("-- \(Self.comment(step.purpose))\(isQuestion ? ": must have no row" : "")")
      lines.append(step.sql.withExactFractions.literalText + ";")
    }
    if wrapsTransaction { lines.append("COMMIT;") }
    text = lines.joined(separator: "\n") + "\n"
    functions = Set(migration.steps.flatMap { SQLFunctions.called(in: $0.sql) }).sorted()
  }

  /// A comment ends with its line.
  private static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
