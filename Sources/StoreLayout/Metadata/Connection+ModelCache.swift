import StoreSQL
package import SQLiteAccess

extension Connection {
  /// What `Z_MODELCACHE` holds: the compressed archive of the model that wrote the store; nil where there is none, as
  /// in stores from before iOS 9.
  package func modelCache() throws(DatabaseError) -> [UInt8]? {
    guard try databaseSchema().hasColumn(FixedColumn.content, in: FixedTable.modelCache) else {
      return nil
    }
    let rows = try rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    guard case .blob(let bytes)? = rows.first?.first, !bytes.isEmpty else { return nil }
    return bytes
  }
}
