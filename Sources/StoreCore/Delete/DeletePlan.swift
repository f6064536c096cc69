import PredicateSQL
import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StorePredicate

/// The statements of a deletion. They work on temporary tables of keys, without loading rows.
///
/// 1. `selection` finds the requested rows.
/// 2. `cascades` add the destinations of these rows, repeatedly, until no more rows are added.
/// 3. `denials`, required `references` and `shortages` find the rows that prevent the deletion. They run after all rows
///    to delete are known.
/// 4. `cleared` and `joins` remove references of remaining rows to deleted rows. Other references dangle. The owners in
///    `memberships` and `losses` count as updated.
/// 5. The rows are deleted, each table with the strategy that is cheapest for their number (`DeletionStrategy`).
package struct DeletePlan: Hashable, Sendable {
  package let entity: String
  /// The tables from which rows can be deleted.
  package let deleted: [DeletedRows]
  /// The statement that collects the keys of the requested rows, or a SELECT of the only row. Nil if all rows of the
  /// entity's table are deleted, or if the entity can't have rows.
  let selection: SQL?
  let cascades: [DeletePath]
  let denials: [DeletePath]
  let references: [Reference]
  let memberships: [Membership]
  let joins: [JoinCleaning]
  /// To-many relationships in which remaining rows can lose members that refer to them.
  let losses: [MemberLoss]
  /// To-many relationships whose number of members can fall below the model's minimum.
  let shortages: [MemberShortage]
  let externalColumns: [ExternalColumn]
  /// All columns that can contain names of external files.
  let sparingColumns: [ExternalColumn]

  func deleted(_ table: String) -> DeletedRows? { deleted.first { $0.table == table } }

  /// The references that become NULL.
  var cleared: [Reference] { references.filter { $0.fate == .cleared } }

  /// The required references, which prevent the deletion unless their rows are deleted too.
  var required: [Reference] { cleared.filter(\.isRequired) }
}

extension BatchDelete {
  /// Returns the statements of the deletion, which don't depend on the rows of the store.
  ///
  /// - Parameters:
  ///   - knowsKeys: whether the caller requires the keys of all deleted rows, even if all rows of a table are deleted.
  ///   - text: the parsed text of the predicate, in which errors mark the location.
  /// - Throws: `CheckErrors`
  package func plan(
    in layout: StoreLayout, storeUUID: String? = nil, knowsKeys: Bool = false,
    text: PredicateText? = nil
  ) throws(CheckErrors) -> DeletePlan {
    try plan(in: layout, storeUUID: storeUUID, knowsKeys: knowsKeys, text: text, row: nil)
  }

  /// - Parameter row: the only row that the predicate can match, if it is also the only row to delete.
  func plan(
    in layout: StoreLayout, storeUUID: String?, knowsKeys: Bool = false, text: PredicateText? = nil,
    row: DeletedRows.Row?
  ) throws(CheckErrors) -> DeletePlan {
    let request = StoreFetchRequest(
      entity: entity, predicate: predicate, includesSubentities: includesSubentities)
    let matching = try request.matchingRows(
      in: layout, storeUUID: storeUUID, texts: RequestTexts(predicate: text))
    let table = layout.entity(named: entity)?.table ?? ""
    let isEmptied =
      !knowsKeys && matching.isEveryRow
      && layout.entities(in: table).allSatisfy {
        $0.isAbstract || matching.entities.contains($0.number)
      }
    let rules = DeleteRules(
      self.rules, first: matching.entities, emptied: isEmptied ? table : nil, row: row,
      in: layout)
    // No entities match if the entity is abstract and doesn't have concrete subentities.
    let selection: SQL? =
      isEmptied || matching.entities.isEmpty
      ? nil
      : row != nil
        ? matching.sql
        : "INSERT INTO temp.\(name: DeletedRows.name(of: table)) (key, entity) \(matching.sql)"
    let external = rules.externalColumns
    return DeletePlan(
      entity: entity, deleted: rules.deleted, selection: selection, cascades: rules.paths(.cascade),
      denials: rules.paths(.deny), references: rules.references, memberships: rules.memberships,
      joins: rules.joins, losses: rules.losses, shortages: rules.shortages,
      externalColumns: external.deleted, sparingColumns: external.all)
  }
}
