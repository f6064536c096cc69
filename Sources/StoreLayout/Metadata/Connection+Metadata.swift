package import SQLiteAccess
import ModelArchives

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
