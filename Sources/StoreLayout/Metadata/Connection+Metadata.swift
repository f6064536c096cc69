import StoreSQL
package import SQLiteAccess
import PropertyLists

extension Connection {
  /// The row of `Z_METADATA`; nil when the table is empty.
  ///
  /// - Throws: `DatabaseError.damaged` for a property list that can't be read.
  package func metadata() throws(DatabaseError) -> StoreMetadata? {
    var statement = try prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { return nil }
    let (uuid, bytes) = (statement.text(at: 0), statement.bytes(at: 1))
    do {
      return try StoreMetadata(uuid: uuid, propertyList: bytes)
    } catch {
      let reason = (error as? PropertyListFault).map { ": \($0.reason)" } ?? ""
      throw .damaged(
        path: path, message: "the property list in Z_METADATA can't be read\(reason)")
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
