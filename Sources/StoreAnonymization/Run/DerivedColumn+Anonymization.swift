import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel

extension StoreLayout {
  /// Computes the derived attributes whose values may come from replaced ones.
  ///
  /// - Returns: the names of attributes that can't be computed. They become NULL.
  func computeDerivedValues(
    _ schema: StoreSchema, storeUUID: String, on connection: Connection
  ) throws(DatabaseError) -> [String] {
    let known = DerivedColumn.all(in: self, storeUUID: storeUUID)
      .filter { schema.hasColumn($0.column, in: $0.table) }
    for column in known { try connection.run(column.update(rows: nil)) }
    var cleared: [String] = []
    for entity in model.entities {
      for attribute in entity.attributes where !attribute.isTransient && attribute.derivation != nil
      {
        let isKnown = known.contains { $0.entity == entity.name && $0.attribute == attribute }
        guard !isKnown, let place = self.entity(named: entity.name),
          let column = place.attributes[attribute.name]?.column,
          schema.hasColumn(column, in: place.table)
        else { continue }
        let numbers = place.subtree.map { SQL.value(.integer($0)) }.joined(", ")
        try connection.run(
          """
          UPDATE \(name: place.table) SET \(name: column) = NULL \
          WHERE \(name: FixedColumn.entity) IN (\(numbers))
          """)
        cleared.append("\(entity.name).\(attribute.name)")
      }
    }
    return cleared
  }
}
