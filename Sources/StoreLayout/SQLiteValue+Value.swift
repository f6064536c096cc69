package import SQLiteAccess
package import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteValue {
  /// A value as Core Data's columns hold it: dates in seconds since 2001, UUIDs as 16 bytes, objects by
  /// their primary key. See `docs/formats/store-layout.md`.
  package init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .boolean(let flag): .integer(flag ? 1 : 0)
      case .integer(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .date(let seconds): .real(seconds)
      case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
      case .binary(let bytes): .blob(bytes)
      case .objectID(let id): .integer(id.primaryKey)
      }
  }
}
