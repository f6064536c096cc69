/// The words for true and false: `true`, `yes`, `1`, `false`, `no`, `0`, in any case.
package enum BooleanText {
  static func value(_ text: String) -> Bool? {
    var text = text
    return text.withUTF8 { value($0) }
  }

  package static func value(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    if text.count == 1 {
      switch text[0] {
      case UInt8(ascii: "0"): return false
      case UInt8(ascii: "1"): return true
      default: return nil
      }
    }
    if Self.equals(text, "true") || Self.equals(text, "yes") { return true }
    if Self.equals(text, "false") || Self.equals(text, "no") { return false }
    return nil
  }

  /// - Parameter word: in lower case; case is ignored in `text`.
  private static func equals(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      text.indices.allSatisfy { text[$0] | 0x20 == word[$0] }
    }
  }
}
