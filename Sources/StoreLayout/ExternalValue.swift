/// A value of an attribute that "allows external storage". Its first byte says where it lies:
/// 1 for the bytes that follow, 2 for a file of the name that follows, up to a NUL or the end
/// (docs/formats/values.md). `ExternalColumn` asks the same in SQL.
package enum ExternalValue {
  case inline(UnsafeBufferPointer<UInt8>)
  case file(String)

  package static let inlineMark: UInt8 = 1
  package static let fileMark: UInt8 = 2

  package init(stored bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes.first {
    case Self.fileMark:
      let name = bytes.dropFirst().prefix { $0 != 0 }
      self = .file(String(decoding: name, as: UTF8.self))
    case Self.inlineMark:
      self = .inline(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
    // No mark: the attribute got its external storage after the row was written.
    default: self = .inline(bytes)
    }
  }
}
