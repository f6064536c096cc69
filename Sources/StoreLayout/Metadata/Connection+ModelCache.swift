import ModelArchives
package import SQLiteAccess
package import StoreModel

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
