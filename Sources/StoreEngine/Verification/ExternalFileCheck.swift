import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Compares the values that lie outside of the rows with the files beside the store.
struct ExternalFileCheck {
  let layout: StoreLayout
  let schema: StoreSchema
  let folder: String

  private static let exampleLimit = 3

  /// - Parameter name: the object ID of a row.
  func findings(
    _ connection: Connection, name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(StoreError) -> [Finding] {
    let files = try files()
    var named: Set<String> = []
    var findings: [Finding] = []
    for (entity, property, table, column, numbers) in attributes {
      var statement = try connection.prepare(
        """
        SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey), \
        CAST(substr(\(name: column), 2, 36) AS TEXT) FROM \(name: table) \
        WHERE substr(\(name: column), 1, 1) = x'02' AND \(name: FixedColumn.entity) IN (\(numbers))
        """)
      var finding = Finding(.missingFiles, entity: entity, property: property, count: 0)
      while try statement.step() {
        let file = statement.text(at: 2)
        named.insert(file)
        guard !files.contains(file) else { continue }
        finding.count += 1
        guard finding.examples.count < Self.exampleLimit else { continue }
        finding.examples.append(name(statement.integer(at: 0), statement.integer(at: 1)))
      }
      if finding.count > 0 { findings.append(finding) }
    }
    let orphans = files.subtracting(named).sorted()
    guard !orphans.isEmpty else { return findings }
    let examples = Array(orphans.prefix(Self.exampleLimit))
    return findings + [
      Finding(.orphanFiles, count: Int64(orphans.count), examples: examples)
    ]
  }

  /// Core Data's own files: their names are UUIDs.
  private func files() throws(StoreError) -> Set<String> {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return Set(names.filter { UUID(uuidString: $0) != nil })
    } catch {
      throw .inputOutput(path: folder, message: "the folder can't be read: \(error)")
    }
  }

  private var attributes: [(String, String, String, String, SQL)] {
    layout.model.entities.flatMap { entity -> [(String, String, String, String, SQL)] in
      guard let place = layout.entity(named: entity.name) else { return [] }
      let numbers = place.subtree.map { SQL.value(.integer($0)) }.joined(", ")
      return entity.attributes.compactMap { attribute in
        guard let column = place.attributes[attribute.name], column.allowsExternalStorage,
          schema.hasColumn(column.column, in: place.table)
        else { return nil }
        return (entity.name, attribute.name, place.table, column.column, numbers)
      }
    }
  }
}
