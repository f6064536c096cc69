import PredicateSQL
package import StoreLayout
import SQLiteAccess
package import StoreModel
package import StorePredicate

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
    return DeletePlan(
      entity: entity, rules: rules,
      // Of an abstract entity there are no rows, and no table to keep their keys in.
      selection: isEmptied || matching.entities.isEmpty
        ? nil
        : """
        INSERT INTO temp.\(name: DeletedRows.name(of: table)) (key, entity) \(matching.sql)
        """)
  }
}

extension DeletePlan {
  init(entity: String, rules: DeleteRules, selection: SQL?) {
    let external = rules.externalColumns
    self.init(
      entity: entity, deleted: rules.deleted, selection: selection, cascades: rules.paths(.cascade),
      denials: rules.paths(.deny), references: rules.references, memberships: rules.memberships,
      joins: rules.joins, losses: rules.losses, shortages: rules.shortages,
      externalColumns: external.deleted,
      sparingColumns: external.all)
  }
}
