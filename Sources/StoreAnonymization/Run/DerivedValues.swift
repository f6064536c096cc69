import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate
import StoreSQL

/// The derived attributes of a store, computed anew when what they are derived from has changed.
struct DerivedValues {
  private var statements: [SQL] = []
  /// Those that can't be computed here; they become NULL.
  private(set) var cleared: [String] = []

  init(in layout: StoreLayout, _ schema: StoreSchema, storeUUID: String) {
    for entity in layout.model.entities where !entity.isAbstract {
      guard let place = layout.entity(named: entity.name) else { continue }
      for attribute in layout.model.storedAttributes(of: entity) {
        guard let derivation = attribute.derivation, !derivation.isCount,
          let column = place.attributes[attribute.name]?.column,
          schema.hasColumn(column, in: place.table)
        else { continue }
        let own: SQL = "\(name: FixedColumn.entity) = \(value: .integer(place.number))"
        do {
          let value = try Self.value(of: derivation, as: attribute.type, place, layout, storeUUID)
          statements.append(
            "UPDATE \(name: place.table) SET \(name: column) = \(value) WHERE \(own)")
        } catch {
          statements.append("UPDATE \(name: place.table) SET \(name: column) = NULL WHERE \(own)")
          cleared.append("\(entity.name).\(attribute.name)")
        }
      }
    }
  }

  /// As a sub-select for the row of the table.
  private static func value(
    of derivation: Expression, as type: AttributeType, _ place: EntityLayout,
    _ layout: StoreLayout, _ storeUUID: String
  ) throws -> SQL {
    var query = RowQuery(place, in: layout, storeUUID: storeUUID)
    let checked = try PredicateChecker(model: layout.model, entity: place.name)
      .check(derivation, as: .attribute(type)).typed
    let value = try query.value(checked, as: type)
    let key = SQL.name(query.alias, FixedColumn.primaryKey)
    return """
      (SELECT \(value) FROM \(query.source) \
      WHERE \(key) = \(.name(place.table, FixedColumn.primaryKey)))
      """
  }

  /// Twice where there are several: one may be derived from another.
  func run(on connection: Connection) throws(DatabaseError) {
    for _ in 0..<min(statements.count, 2) {
      for statement in statements { try connection.run(statement) }
    }
  }
}

extension Expression {
  /// No value goes into a count of members.
  fileprivate var isCount: Bool {
    if case .count? = Derivation(self) { true } else { false }
  }
}
