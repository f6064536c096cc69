package import SQLiteAccess
package import StoreLayout

/// Rows whose `Z_ENT` isn't an entity of their table, or is an abstract entity. Requests by entity don't include them.
package struct StrayRows: Error, Hashable {
  package var table: String
  package var count: Int64
}

extension StoreLayout {
  /// Returns the stray rows in the tables of entities.
  package func strayRows(
    beside entities: [EntityLayout], on connection: Connection
  ) throws(DatabaseError) -> [StrayRows] {
    var found: [StrayRows] = []
    for table in tables {
      let members = self.entities.filter { $0.table == table.name }
      // A table of one entity doesn't need the condition.
      guard members.contains(where: entities.contains), members.contains(where: \.sharesTable)
      else { continue }
      let number = SQL.name(FixedColumn.entity)
      let known = members.filter { !$0.isAbstract }.map { SQL.value(.integer($0.number)) }
      let count = try connection.integer(
        """
        SELECT count(*) FROM \(name: table.name) \
        WHERE \(number) IS NULL OR \(number) NOT IN (\(known.joined(", ")))
        """)
      if count > 0 { found.append(StrayRows(table: table.name, count: count)) }
    }
    return found
  }
}
