import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Value {
  /// Another value of its kind; the number tells it from all others. A Float holds these numbers, too.
  func probe(_ number: Int) -> Value {
    let odd = 1_000_001 + 2 * number
    switch self {
    case .integer: return .integer(Int64(odd))
    case .double: return .double(Double(odd) + 0.5)
    case .date: return .date(Double(odd) + 0.25)
    case .string: return .string("\u{1}\(odd)\u{1}")
    case .uuid:
      let bytes = withUnsafeBytes(of: UInt64(odd).littleEndian) { Array($0) }
      return .uuid(
        UUID(
          uuid: (
            bytes[0], bytes[1], bytes[2], bytes[3], 0x7e, 0x57, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55
          )))
    case .objectID(var id):
      id.primaryKey = Int64(odd)
      return .objectID(id)
    case .null, .boolean, .binary: return self
    }
  }
}
