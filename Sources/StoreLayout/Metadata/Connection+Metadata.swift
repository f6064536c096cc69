import ModelArchives
package import SQLiteAccess
package import StoreModel

extension Connection {
  /// Returns the row of `Z_METADATA`, or nil if the table is empty. If the table or a column is missing, or if the
  /// property list can't be read, the `fault` of the result contains the reason.
  package func metadata() throws(DatabaseError) -> StoreMetadata? {
    do throws(DatabaseError) {
      return try readMetadata()
    } catch .sql(_, _, let message) {
      // The table or a column is missing.
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

  /// Writes the row of `Z_METADATA`.
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
  /// Returns the rows of `Z_PRIMARYKEY` in the order of their numbers, or an empty array if the table or one of its
  /// columns is missing (`SchemaGap`).
  package func primaryKeys() throws(DatabaseError) -> [PrimaryKeyRow] {
    guard try Set(columnNames(of: FixedTable.primaryKeys)).isSuperset(of: FixedTable.keyColumns)
    else { return [] }
    return try map("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      PrimaryKeyRow(
        number: $0.integer(at: 0), name: $0.text(at: 1), parentNumber: $0.integer(at: 2),
        highestKey: $0.integer(at: 3))
    }
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
  /// Returns the content of `Z_MODELCACHE` for a model, or nil if the model is too large to be read back.
  ///
  /// Parts that no archive can contain, such as an invalid template, are omitted.
  static func content(of model: DataModel) throws(ModelCacheError) -> [UInt8]? {
    do {
      return try compressed(EncodedModel(model, as: .store).bytes)
    } catch {
      if case .tooLarge = error { return nil }
      throw error
    }
  }
}

extension Connection {
  /// Returns the content of `Z_MODELCACHE`: the compressed archive of the model that wrote the store, or nil, for
  /// example in stores before iOS 9.
  package func modelCache() throws(DatabaseError) -> [UInt8]? {
    guard try hasModelCache() else { return nil }
    let rows = try rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    guard case .blob(let bytes)? = rows.first?.first, !bytes.isEmpty else { return nil }
    return bytes
  }

  /// Creates the table `Z_MODELCACHE` of a new store and stores the model in it.
  ///
  /// - Throws: `DatabaseError`, `ModelCacheError.outOfMemory`
  package func makeModelCache(of model: DataModel) throws {
    try define("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    try setModelCache(of: model)
  }

  /// Replaces the model in the store if it has the table `Z_MODELCACHE`. The table remains empty if the model is too
  /// large.
  ///
  /// - Throws: `DatabaseError`, `ModelCacheError.outOfMemory`
  package func setModelCache(of model: DataModel) throws {
    guard try hasModelCache() else { return }
    try run("DELETE FROM Z_MODELCACHE")
    guard let content = try ModelCache.content(of: model) else { return }
    try run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(value: .blob(content)))")
  }

  private func hasModelCache() throws(DatabaseError) -> Bool {
    try columnNames(of: FixedTable.modelCache).contains(FixedColumn.content)
  }
}
