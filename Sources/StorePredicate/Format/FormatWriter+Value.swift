#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FormatWriter {
  /// A literal; types that have none are cast from one.
  mutating func write(_ value: Value) {
    switch value {
    case .null: append("nil")
    case .boolean(let flag): append(flag ? "YES" : "NO")
    case .integer(let number): append(number.description)
    case .double(let number) where number.isFinite: append(number.description)
    case .double(let number): appendCast("\"\(number)\"", to: "NSNumber")
    case .string(let string): append(FormatName.quoted(string))
    case .date(let seconds) where seconds.isFinite: appendCast(seconds.description, to: "NSDate")
    case .date(let seconds): appendCast("CAST(\"\(seconds)\", \"NSNumber\")", to: "NSDate")
    case .uuid(let uuid): appendCast("\"\(uuid.uuidString)\"", to: "NSUUID")
    case .binary(let bytes): appendCast("\"\(Data(bytes).base64EncodedString())\"", to: "NSData")
    case .objectID(let id):
      appendCast(FormatName.quoted(id.uri), to: Parser.objectIDType)
    }
  }

  private mutating func appendCast(_ literal: String, to type: String) {
    append("CAST(\(literal), \"\(type)\")")
  }
}

/// How names and strings are spelt so that the lexer reads them back.
enum FormatName {
  /// A key of a key path: `#` before a reserved word, escapes for what no name may hold.
  static func key(_ name: String) -> String {
    // Behind # stands a plain name: the keywords with hyphens are written with escapes.
    let isPlain = !name.utf8.contains(UInt8(ascii: "-"))
    if isPlain, let keyword = Keyword(spelling: name.utf8), keyword.isReserved { return "#" + name }
    return escaped(name)
  }

  /// A name behind `$`, or one that spells no keyword.
  static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if text.isEmpty ? scalar.startsName : scalar.continuesName {
        text.unicodeScalars.append(scalar)
      } else {
        text += escape(scalar)
      }
    }
    return text
  }

  /// A string in double quotes, on one line.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": text += escape(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}
