/// Functions that convert the values of XML attributes.
enum XMLText {
  /// Returns a value as Xcode writes it between double quotes. Markup characters, line breaks and tabs become entities.
  /// U+FFFE and U+FFFF, which XML doesn't allow, are replaced.
  static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      // An XML parser would convert these characters to spaces.
      case "\n", "\r", "\t": text += "&#\(scalar.value);"
      case "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Returns the value of the bytes between quotes. The file is well-formed, so each entity is predefined in XML or is
  /// the number of a character.
  static func value(of bytes: ArraySlice<UInt8>) -> String {
    let special: (UInt8) -> Bool = { $0 == UInt8(ascii: "&") || $0 < 0x20 }
    guard bytes.contains(where: special) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "&"):
        let name = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest.dropFirst(name.count + 1)
        result += entity(String(decoding: name, as: UTF8.self)).utf8
      case 0x09, 0x0A, 0x0D: result.append(0x20)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func entity(_ name: String) -> String {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let digits = name.dropFirst()
    let number =
      digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
  }
}
