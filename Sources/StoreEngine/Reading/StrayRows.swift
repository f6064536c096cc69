package import SQLiteAccess
package import StoreLayout

/// Rows that don't belong to any entity of their table, because their `Z_ENT` is unknown or belongs to an abstract
/// entity. Requests for entities don't return them.
package struct StrayRows: Error, Hashable {
  package var table: String
  package var count: Int64
}

extension StoreLayout {
  /// Returns the numbers of stray rows in the tables of the given entities.
  package func strayRows(
    beside entities: [EntityLayout], on connection: Connection
  ) throws(DatabaseError) -> [StrayRows] {
    var found: [StrayRows] = []
    let requested = Set(entities.map(\.table))
    for table in tables {
      let members = self.entities(in: table.name)
      // A table of one entity is always read completely.
      guard requested.contains(table.name), members.contains(where: \.sharesTable)
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
