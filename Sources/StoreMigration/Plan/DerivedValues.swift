import PredicateSQL
import StoreLayout
import StoreSQL
import StoreModel

/// Computes derived attributes that are new, from the rows as they are in the end.
struct DerivedValues {
  let steps: [MigrationStep]

  init(_ mapping: ModelMapping, _ target: StoreLayout, _ storeUUID: String?) throws {
    var steps: [MigrationStep] = []
    for entity in mapping.entities {
      guard let place = target.entity(named: entity.target),
        let model = target.model.entity(named: entity.target)
      else { continue }
      for attribute in target.model.storedAttributes(of: model) {
        guard let derivation = attribute.derivation,
          entity.attributes[attribute.name]?.source == .nothing,
          let column = place.attributes[attribute.name]?.column
        else { continue }
        var query = RowQuery(place, in: target, storeUUID: storeUUID)
        let value = try query.value(
          PredicateChecker(model: target.model, entity: place.name)
            .check(derivation, as: .attribute(attribute.type)).typed, as: attribute.type)
        let key = SQL.name(query.alias, FixedColumn.primaryKey)
        let own: SQL = "\(.name(place.table, FixedColumn.primaryKey))"
        let filter: SQL =
          place.sharesTable
          ? " WHERE \(name: FixedColumn.entity) = \(.integer(place.number))" : ""
        steps.append(
          MigrationStep(
            """
            UPDATE \(name: place.table) SET \(name: column) = \
            (SELECT \(value) FROM \(query.source) WHERE \(key) = \(own))\(filter)
            """, "computes \(entity.target).\(attribute.name)", .rows(place.table)))
      }
    }
    self.steps = steps
  }
}
