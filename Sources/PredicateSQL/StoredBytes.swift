package import SQLiteAccess
import StoreLayout

/// SQL functions that read the values of attributes that allow external storage.
///
/// | function | result |
/// |---|---|
/// | `VALUE_BYTES(stored)` | the bytes of the value, from the row or from its file |
/// | `VALUE_FILE_SIZE(stored)` | the file's size in bytes; NULL if it is missing, unreadable or too large |
package enum StoredBytes {
  /// The functions that read the external files of one store.
  package struct Files: Sendable {
    package let bytes: @Sendable (_ name: String) throws(UnreadableFile) -> [UInt8]
    /// Returns the size of a file in bytes, or nil for a file that can't be read.
    package let size: @Sendable (_ name: String) -> Int64?

    package init(
      bytes: @escaping @Sendable (String) throws(UnreadableFile) -> [UInt8],
      size: @escaping @Sendable (String) -> Int64?
    ) {
      self.bytes = bytes
      self.size = size
    }

    /// The functions for a database without external files, such as an in-memory database.
    package static let none = Files(
      bytes: { name throws(UnreadableFile) in
        throw UnreadableFile(reason: "the file '\(name)' is missing")
      }, size: { _ in nil })
  }

  package struct UnreadableFile: Error {
    let reason: String

    package init(reason: String) {
      self.reason = reason
    }
  }

  package static let bytesName = "VALUE_BYTES"
  static let sizeName = "VALUE_FILE_SIZE"

  package static func sql(_ stored: SQL) -> SQL { "VALUE_BYTES(\(stored))" }

  package static func fileSize(_ stored: SQL) -> SQL { "VALUE_FILE_SIZE(\(stored))" }

  static func register(_ files: Files, on connection: Connection) throws(DatabaseError) {
    try connection.define(function: bytesName, arguments: 1) { call in
      guard let stored = call.bytes(at: 0) else { return call.answer(call.value(at: 0) ?? .null) }
      switch ExternalValue(stored: stored.bindMemory(to: UInt8.self)) {
      case .inline(let bytes): call.answer(.blob(Array(bytes)))
      case .file(let name):
        do throws(UnreadableFile) {
          call.answer(.blob(try files.bytes(name)))
        } catch {
          call.fail(error.reason)
        }
      }
    }
    try connection.define(function: sizeName, arguments: 1) { call in
      guard let stored = call.bytes(at: 0),
        case .file(let name) = ExternalValue(stored: stored.bindMemory(to: UInt8.self)),
        let size = files.size(name), size <= call.largestValue
      else { return call.returnNull() }
      call.answer(.integer(size))
    }
  }
}
