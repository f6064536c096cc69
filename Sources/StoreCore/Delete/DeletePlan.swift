import SQLiteAccess

/// What a deletion does, as statements over temporary tables of the keys that go; no row is loaded.
///
/// 1. `selection` finds the rows that are asked for.
/// 2. `cascades` add the rows that they lead to, then those that these lead to, until there is no new
///    one.
/// 3. `denials` and required `references` find the rows that forbid it, now that all that go are known.
/// 4. `references`, `memberships` and `joins` free the rows that stay of those that go.
/// 5. The rows themselves are deleted, each table in the way that is cheapest for their number
///    (`DeletionStrategy`).
package struct DeletePlan: Hashable, Sendable {
  package let entity: String
  /// The tables that may lose rows.
  package let deleted: [DeletedRows]
  /// Fills the first of them; nil where the whole table goes.
  let selection: SQL?
  let cascades: [DeletePath]
  let denials: [DeletePath]
  let references: [Reference]
  let memberships: [Membership]
  let joins: [JoinCleaning]
  /// Owners that lose members whose to-one names them.
  let losses: [MemberLoss]
  /// To-many relationships that may fall below the model's minimum.
  let shortages: [MemberShortage]
  let externalColumns: [ExternalColumn]
  /// All columns that may name one of the same files.
  let sparingColumns: [ExternalColumn]

  func deleted(_ table: String) -> DeletedRows? { deleted.first { $0.table == table } }

  /// References that become NULL, by their table.
  var cleared: [Reference] { references.filter { $0.fate == .cleared } }

  /// References that may only be there when their rows go, too.
  var required: [Reference] { cleared.filter(\.isRequired) }
}
