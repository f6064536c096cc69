import Foundation
import StoreModel
import StorePredicate

/// A few values of each type, so that two of them are often equal. Some are unusual.
enum SampleValues {
  static func values(of type: AttributeType) -> [DataValue] {
    switch type {
    case .integer16, .integer32: numbers.map { .integer($0) }
    case .integer64:
      (numbers + [9_007_199_254_740_992, 9_007_199_254_740_993, 1 << 62, .max, .min]).map {
        .integer($0)
      }
    case .decimal: (reals + [19.99]).map { .double($0) }
    case .double: (reals + [1e300, -1e-300]).map { .double($0) }
    case .float: reals.map { .double(Double(Float($0))) }
    case .boolean: [.boolean(true), .boolean(false)]
    case .string: texts.map { .string($0) }
    case .uri:
      ["https://example.org/É?a=%20", "file:///a", "HTTPS://EXAMPLE.ORG/é?a=%20"]
        .map { .string($0) }
    case .date: dates.map { .date($0) }
    case .binary, .transformable, .undefined: bytes.map { .binary($0) }
    case .uuid: uuids.map { .uuid($0) }
    case .objectID, .composite: []
    }
  }

  /// Returns the string that is converted to the value in a comparison with an attribute of its type.
  static func text(of value: DataValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .date(let seconds): ISODate.text(seconds)
    case .uuid(let uuid): uuid.uuidString.lowercased()
    case .binary(let bytes): Data(bytes).base64EncodedString()
    case .boolean(let flag): flag ? "yes" : "false"
    case .null, .double, .string, .objectID: nil
    }
  }

  static let numbers: [Int64] = [-3, -1, 0, 1, 2, 3, 7, 100]
  static let reals: [Double] = [-1.5, -1, 0, 0.1, 0.5, 1, 1.5, 2, 2.25, 3, 7, 100]
  static let dates: [Double] = [-86_400, -1.5, 0, 0.5, 1, 2, 7, 86_400, 736_672_089.25]
  static let bytes: [[UInt8]] = [[], [0], [1], [1, 2, 3], [1, 1], [255, 0, 1]]

  static let uuids = [UInt8(0), 1, 127, 255].map { byte in
    UUID(uuid: (byte, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, byte))
  }

  /// Groups of strings that are equal except for case, diacritics, composition or width, and strings that look like
  /// wildcards, numbers or SQL.
  static let texts = [
    "", " ", "a", "A", "ab", "AB", "aB", "ba", "b", "abba",
    "é", "É", "e\u{301}", "E\u{301}", "e", "Zoë", "zoe\u{308}", "ZOE",
    "ß", "ẞ", "ss", "SS", "Straße", "STRASSE", "ﬁn", "fin", "FIN",
    "i", "I", "ı", "İ", "i\u{307}", "IĞDIR", "ığdır",
    "Å", "\u{212B}", "A\u{30A}", "å", "ệ", "e\u{323}\u{302}", "o\u{308}\u{304}",
    "ａ", "Ａ", "ｶﾞ", "ガ", "カ\u{3099}", "か", "한", "\u{1112}\u{1161}\u{11AB}",
    "Σ", "σ", "ς", "Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ", "й", "и\u{306}", "И", "שׁ", "ש", "كِتاب", "كتاب",
    "🧋", "👩‍👩‍👧", "👩", "🇩🇪", "👍🏽", "👍", "\u{FEFF}a", "a\u{200D}b", "\u{301}",
    "%", "_", "*", "?", "a*", "a?b", "[a]", "\\", "a\\b", "'", "\"", "it's", "\n", "a\nb", "\t",
    "12", "-3", "1.5 km", "1e2", " 7", "0x10", "NULL", "'; DROP TABLE ZTHING; --",
  ]
}
