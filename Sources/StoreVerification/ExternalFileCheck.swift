import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel

/// Compares the values in external files with the files next to the store.
struct ExternalFileCheck {
  let layout: StoreLayout
  let schema: StoreSchema
  let orphans: OrphanFiles

  private var folder: ExternalFolder { orphans.folder }

  /// Returns the findings for values with missing files, files without a value, and symbolic links. If the folder is a
  /// symbolic link, the link is the only finding, because links aren't followed.
  ///
  /// - Parameter name: returns the object ID of a row.
  func findings(
    _ connection: Connection, name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(DatabaseError) -> [StoreFinding] {
    if let link = folder.link { return [StoreFinding(.linkedFolder("\(link)"))] }
    let links = try folder.contents().links.sorted()
    return try missingFiles(connection, name: name)
      + [.files(.linkedFiles, links), .files(.orphanFiles, try orphans.names(connection))]
      .compactMap(\.self)
  }

  /// Whether the files of all values exist.
  func isComplete(_ connection: Connection) throws(DatabaseError) -> Bool {
    try missingFiles(connection) { "\($0) p\($1)" }.isEmpty
  }

  private func missingFiles(
    _ connection: Connection, name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(DatabaseError) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    for (entity, property, column, numbers) in attributes {
      var statement = try connection.prepare(
        """
        SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey), \
        \(column.markedText) FROM \(name: column.table) \
        WHERE \(column.isMarked) AND \(name: FixedColumn.entity) IN \(numbers)
        """)
      var finding = StoreFinding(.missingFiles, entity: entity, property: property, count: 0)
      while try statement.step() {
        guard isMissing(String(statement.text(at: 2).prefix { $0 != "\0" })) else { continue }
        finding.count += 1
        guard finding.examples.count < StoreFinding.exampleLimit else { continue }
        finding.examples.append(name(statement.integer(at: 0), statement.integer(at: 1)))
      }
      if finding.count > 0 { findings.append(finding) }
    }
    return findings
  }

  private func isMissing(_ name: String) -> Bool {
    guard ExternalFolder.isFileName(name) else { return true }
    do {
      switch try folder.held().entry(name) {
      case .file, .link: return false
      case .missing, .special: return true
      }
    } catch {
      return true
    }
  }

  /// The name of the entity, the name and column of each attribute that allows external storage, and the list of the
  /// entity numbers of its rows.
  private var attributes: [(String, String, ExternalColumn, SQL)] {
    layout.model.entities.flatMap { entity -> [(String, String, ExternalColumn, SQL)] in
      guard let place = layout.entity(named: entity.name) else { return [] }
      return entity.attributes.compactMap { attribute in
        guard let column = place.attributes[attribute.name], column.allowsExternalStorage,
          schema.hasColumn(column.column, in: place.table)
        else { return nil }
        let external = ExternalColumn(table: place.table, column: column.column)
        return (entity.name, attribute.name, external, .list(place.subtree))
      }
    }
  }
}
