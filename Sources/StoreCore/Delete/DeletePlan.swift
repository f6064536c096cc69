import PredicateSQL
import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StorePredicate

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

extension BatchDelete {
  /// The statements of the deletion: a pure function of the request and the layout.
  ///
  /// - Parameters:
  ///   - knowsKeys: the keys of all rows that go are wanted, also where a table is emptied.
  ///   - text: what the predicate was parsed from, for the carets of errors.
  /// - Throws: `CheckErrors`
  package func plan(
    in layout: StoreLayout, storeUUID: String? = nil, knowsKeys: Bool = false,
    text: PredicateText? = nil
  ) throws(CheckErrors) -> DeletePlan {
    let request = StoreFetchRequest(
      entity: entity, predicate: predicate, includesSubentities: includesSubentities)
    let matching = try request.matchingRows(
      in: layout, storeUUID: storeUUID, texts: RequestTexts(predicate: text))
    let table = layout.entity(named: entity)?.table ?? ""
    let isEmptied =
      !knowsKeys && matching.isEveryRow
      && layout.entities.allSatisfy {
        $0.table != table || $0.isAbstract || matching.entities.contains($0.number)
      }
    let rules = DeleteRules(
      self.rules, first: matching.entities, emptied: isEmptied ? table : nil, in: layout)
    // Of an abstract entity there are no rows, and no table to keep their keys in.
    let selection: SQL? =
      isEmptied || matching.entities.isEmpty
      ? nil
      : "INSERT INTO temp.\(name: DeletedRows.name(of: table)) (key, entity) \(matching.sql)"
    let external = rules.externalColumns
    return DeletePlan(
      entity: entity, deleted: rules.deleted, selection: selection, cascades: rules.paths(.cascade),
      denials: rules.paths(.deny), references: rules.references, memberships: rules.memberships,
      joins: rules.joins, losses: rules.losses, shortages: rules.shortages,
      externalColumns: external.deleted, sparingColumns: external.all)
  }
}
