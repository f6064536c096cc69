import RecordFormats
package import SQLiteAccess

extension PackedRows {
  /// Returns a cell with the value. Texts and blobs are copied.
  package func cell(of value: SQLiteValue) -> Cell {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .text(let text):
      var text = text
      return text.withUTF8 { cell(.text, $0.baseAddress, count: $0.count) }
    case .blob(let bytes):
      return bytes.withUnsafeBufferPointer { cell(.blob, $0.baseAddress, count: $0.count) }
    }
  }

  /// Returns a cell with the 16 bytes of a UUID in upper or lower case, or nil for other text.
  func cell(uuid text: UnsafeBufferPointer<UInt8>) -> Cell? {
    guard text.count == 36 else { return nil }
    var isValid = true
    let cell = cell(.blob, capacity: 16) { place in
      var index = 0
      for byte in 0..<16 {
        if byte == 4 || byte == 6 || byte == 8 || byte == 10 {
          isValid = isValid && text[index] == UInt8(ascii: "-")
          index += 1
        }
        guard let high = Self.hexDigit(text[index]), let low = Self.hexDigit(text[index + 1]) else {
          isValid = false
          break
        }
        place[byte] = high << 4 | low
        index += 2
      }
      return 16
    }
    return isValid ? cell : nil
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns a cell with the byte `mark`, if it isn't nil, and the decoded base64. Returns nil if `text` isn't base64.
  func cell(base64 text: UnsafeBufferPointer<UInt8>, mark: UInt8?) -> Cell? {
    var isValid = true
    let cell = cell(.blob, capacity: Base64Text.capacity(text) + 1) { place in
      if let mark { place.pointee = mark }
      let start = mark == nil ? 0 : 1
      guard let length = Base64Text.decode(text, into: place + start) else {
        isValid = false
        return 0
      }
      return start + length
    }
    return isValid ? cell : nil
  }
}
