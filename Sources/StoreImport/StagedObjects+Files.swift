import SQLiteAccess
import StoreCore
import StoreLayout

extension StagedObjects {
  /// Keeps the reference of a row to an external file if the file contains the same bytes as the input, so that
  /// importing an unchanged export doesn't change the row.
  func keepFiles() throws {
    let folder = ExternalFolder(path: ExternalFolder.path(beside: connection.path))
    for field in plan.fields {
      guard case .attribute(_, isExternal: true) = field.content else { continue }
      let cell = SQL.name("g", Self.cell(field.cell))
      let stored = SQL.name("t", plan.columns[field.cell])
      let source: SQL = """
        FROM \(merged) AS g JOIN \(name: plan.table) AS t \
        ON t.\(name: FixedColumn.primaryKey) = g.row WHERE g.isThere
        """
      let rows = try connection.rows(
        """
        SELECT g.row \(source) AND \(cell) IS NOT \(stored) \
        AND substr(\(stored), 1, 1) = \(value: .blob([ExternalValue.fileMark]))
        """)
      for row in rows {
        let values = try connection.rows(
          "SELECT \(stored), \(cell) \(source) AND g.row = \(value: row[0])")
        guard let found = values.first, case .blob(let reference) = found[0],
          case .blob(let given) = found[1], folder.holds(given, under: reference)
        else { continue }
        try connection.run(
          """
          UPDATE \(merged) SET \(name: Self.cell(field.cell)) = \(value: found[0]) \
          WHERE row = \(value: row[0])
          """)
      }
    }
  }
}

extension ExternalFolder {
  /// Returns whether the external file that `reference` names contains the value `given`, which has the format of
  /// a value in the row itself.
  fileprivate func holds(_ given: [UInt8], under reference: [UInt8]) -> Bool {
    guard given.first == ExternalValue.inlineMark,
      case .file(let name) = reference.withUnsafeBufferPointer(ExternalValue.init(stored:))
    else { return false }
    do throws(ExternalValueMissing) {
      return try read(name)?.elementsEqual(given.dropFirst()) == true
    } catch {
      // The file is missing, so the new value replaces the reference.
      return false
    }
  }
}
