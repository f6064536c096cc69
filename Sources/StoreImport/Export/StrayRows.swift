package import SQLiteAccess
package import StoreDiagnostics
package import StoreEngine

extension StrayRows: DiagnosableError {
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
  /// - Throws: `DatabaseError`
  package func strayRows(on connection: Connection) throws(DatabaseError) -> [StrayRows] {
    try layout.strayRows(beside: entities, on: connection)
  }
}
