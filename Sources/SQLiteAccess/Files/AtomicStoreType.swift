/// Core Data's types of stores that are read and written as a whole, without tables.
package enum AtomicStoreType: String, Hashable, Sendable {
  case xml
  /// A file with a keyed archive, whose header Apple doesn't document.
  case binary

  /// The number of bytes at the beginning of a file from which the type is detected.
  package static let beginningSize = 512

  /// - Parameter bytes: the beginning of a file that isn't an SQLite database.
  package init?(fileBeginning bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("<?xml") || text.hasPrefix("<database>"),
      text.contains("<databaseInfo>") || text.contains("CoreData.dtd")
    {
      self = .xml
    } else if text.contains("bplist00") {
      self = .binary
    } else {
      return nil
    }
  }
}
