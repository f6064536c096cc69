import StoreSQL
package import SQLiteAccess
import StoreLayout
package import StoreDiagnostics

/// Rows that no entity of their table claims, since their `Z_ENT` is none of theirs or that of an abstract one: an export leaves
/// them out.
package struct StrayRows: DiagnosableError, Hashable {
  package var table: String
  package var count: Int64

  package var diagnostics: [Diagnostic] {
    let rows = count == 1 ? "1 row of \(table) has" : "\(count) rows of \(table) have"
    return [
      Diagnostic(
        .error, "export.stray-rows", "\(rows) the number of an entity that does not belong there",
        help: [
          "no entity has them, so they are not exported; repairing the store gives a row its number where only one fits"
        ])
    ]
  }
}

extension Export {
  /// What `write` leaves out.
  ///
  /// - Throws: `StoreError`
  package func strayRows(on connection: Connection) throws(DatabaseError) -> [StrayRows] {
    var found: [StrayRows] = []
    for table in layout.tables {
      let members = layout.entities.filter { $0.table == table.name }
      // A table of one entity is exported whole.
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
