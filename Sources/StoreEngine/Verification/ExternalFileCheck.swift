import StoreModel

/// Compares the values that lie outside of the rows with the files beside the store.
struct ExternalFileCheck {
  let layout: StoreLayout
  let schema: StoreSchema
  let orphans: OrphanFiles

  /// Values whose files are missing, and files without a value.
  ///
  /// - Parameter name: the object ID of a row.
  func findings(
    _ connection: Connection, name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(StoreError) -> [Finding] {
    let files = try orphans.folder.files()
    var findings: [Finding] = []
    for (entity, property, table, column, numbers) in attributes {
      var statement = try connection.prepare(
        """
        SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey), \
        \(ExternalColumn(table: table, column: column).fileText) FROM \(name: table) \
        WHERE \(ExternalColumn(table: table, column: column).isFile) \
        AND \(name: FixedColumn.entity) IN (\(numbers))
        """)
      var finding = Finding(.missingFiles, entity: entity, property: property, count: 0)
      while try statement.step() {
        guard !files.contains(statement.text(at: 2)) else { continue }
        finding.count += 1
        guard finding.examples.count < Finding.exampleLimit else { continue }
        finding.examples.append(name(statement.integer(at: 0), statement.integer(at: 1)))
      }
      if finding.count > 0 { findings.append(finding) }
    }
    return findings + [.orphanFiles(try orphans.names(connection))].compactMap(\.self)
  }

  private var attributes: [(String, String, String, String, SQL)] {
    layout.model.entities.flatMap { entity -> [(String, String, String, String, SQL)] in
      guard let place = layout.entity(named: entity.name) else { return [] }
      return entity.attributes.compactMap { attribute in
        guard let column = place.attributes[attribute.name], column.allowsExternalStorage,
          schema.hasColumn(column.column, in: place.table)
        else { return nil }
        return (entity.name, attribute.name, place.table, column.column, place.numbers)
      }
    }
  }
}
