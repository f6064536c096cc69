import ModelArchives
package import SQLiteAccess
package import StoreModel

extension Connection {
  /// The row of `Z_METADATA`, with a fault where its property list can't be read; nil when the table is empty.
  package func metadata() throws(DatabaseError) -> StoreMetadata? {
    do throws(DatabaseError) {
      return try readMetadata()
    } catch .sql(_, _, let message) {
      // A column is missing.
      return StoreMetadata(uuid: "", entries: [:], fault: message)
    }
  }

  private func readMetadata() throws(DatabaseError) -> StoreMetadata? {
    var statement = try prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { return nil }
    let (uuid, bytes) = (statement.text(at: 0), statement.bytes(at: 1))
    do {
      return try StoreMetadata(uuid: uuid, propertyList: bytes)
    } catch {
      let reason = (error as? PropertyListError)?.reason ?? "its bytes are not a property list"
      return StoreMetadata(uuid: uuid, entries: [:], fault: reason)
    }
  }

  /// Writes the one row of `Z_METADATA`.
  package func setMetadata(_ metadata: StoreMetadata) throws(DatabaseError) {
    let bytes: [UInt8]
    do {
      bytes = try metadata.propertyList()
    } catch {
      throw .inputOutput(path: path, message: "the metadata can't be encoded: \(error)")
    }
    try run(
      """
      INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) \
      VALUES (1, \(value: .text(metadata.uuid)), \(value: .blob(bytes)))
      """)
  }
}

extension Connection {
  /// `Z_PRIMARYKEY` by number; none where the table or a column of it is missing (`SchemaGap`).
  package func primaryKeys() throws(DatabaseError) -> [PrimaryKeyRow] {
    guard try Set(columnNames(of: FixedTable.primaryKeys)).isSuperset(of: FixedTable.keyColumns)
    else { return [] }
    var statement = try prepare(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    var rows: [PrimaryKeyRow] = []
    while try statement.step() {
      rows.append(
        PrimaryKeyRow(
          number: statement.integer(at: 0), name: statement.text(at: 1),
          parentNumber: statement.integer(at: 2), highestKey: statement.integer(at: 3)))
    }
    return rows
  }

  package func insertPrimaryKey(_ row: PrimaryKeyRow) throws(DatabaseError) {
    try run(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \
      (\(value: .integer(row.number)), \(value: .text(row.name)), \
      \(value: .integer(row.parentNumber)), \(value: .integer(row.highestKey)))
      """)
  }
}

extension ModelCache {
  /// What a store of the model carries; nil for a model that is larger than any that is read back.
  ///
  /// Parts that no archive can hold, such as a template with a mistake, are left out.
  static func content(of model: Model) throws(ModelCacheError) -> [UInt8]? {
    do {
      return try compressed(EncodedModel(model, as: .store).bytes)
    } catch {
      if case .tooLarge = error { return nil }
      throw error
    }
  }
}

extension Connection {
  /// What `Z_MODELCACHE` holds: the compressed archive of the model that wrote the store; nil where there is none, as
  /// in stores from before iOS 9.
  package func modelCache() throws(DatabaseError) -> [UInt8]? {
    guard try hasModelCache() else { return nil }
    let rows = try rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    guard case .blob(let bytes)? = rows.first?.first, !bytes.isEmpty else { return nil }
    return bytes
  }

  /// The table of a new store, with the model that it carries.
  ///
  /// - Throws: `DatabaseError`, `ModelCacheError.outOfMemory`
  package func makeModelCache(of model: Model) throws {
    try define("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    try setModelCache(of: model)
  }

  /// Lets the store carry a model in place of another, where it has the table for it.
  ///
  /// - Throws: `DatabaseError`, `ModelCacheError.outOfMemory`
  package func setModelCache(of model: Model) throws {
    guard try hasModelCache() else { return }
    try run("DELETE FROM Z_MODELCACHE")
    guard let content = try ModelCache.content(of: model) else { return }
    try run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(value: .blob(content)))")
  }

  private func hasModelCache() throws(DatabaseError) -> Bool {
    try columnNames(of: FixedTable.modelCache).contains(FixedColumn.content)
  }
}
