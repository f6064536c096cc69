extension PredicateSyntaxError {
  /// What was probably meant, where the text is right in another language, or in another country.
  ///
  /// - Parameters:
  ///   - found: the text at the place of the error.
  ///   - isHelped: whether a near word is suggested already.
  func slip(_ found: String, in text: String, isHelped: Bool) -> String? {
    let before = String(decoding: text.utf8.prefix(range.lowerBound), as: UTF8.self)
    let after = String(decoding: text.utf8.dropFirst(range.upperBound), as: UTF8.self)
    switch kind {
    case .expected(.endOfExpression): return Self.order(found)
    case .expected(.connective) where found == ",":
      guard before.last?.isNumber == true, after.first?.isNumber == true else { return nil }
      return
        "decimals have a point: \(Self.number(endOf: before)).\(after.prefix(while: \.isNumber))"
    case .expected(.connective) where !isHelped && found.first?.isLetter == true:
      if before.last == "'" || before.last == "\"" {
        return #"a quote inside a string is written \" or \'"#
      }
      // Behind a word that has none itself: name == Ray Bradbury.
      return before.last { $0 != " " }?.isLetter == true ? "text with blanks stands in quotes" : nil
    case .expected(.comparisonOperator): return Self.operators[found.uppercased()]
    case .malformedNumber where before.last == "-" && found.contains("T"):
      return "dates stand in quotes: \"2026-01-31T09:30:00Z\""
    case .bareExpression where Self.isBetween(before):
      return "BETWEEN takes a list of both bounds: BETWEEN {1, 5}"
    case .unknownFunction(let name): return Self.functions[name.lowercased()]
    default: return nil
    }
  }

  /// `age BETWEEN 1 AND` with another bound to come, as SQL has it.
  private static func isBetween(_ text: String) -> Bool {
    let words = text.uppercased().split(separator: " ")
    return words.suffix(3).first == "BETWEEN" && words.last == "AND"
  }

  private static func order(_ found: String) -> String? {
    switch found.lowercased() {
    case "desc", "descending": "a minus before a key path sorts downwards: -name"
    case "as": "only what is selected takes a name"
    case "asc", "ascending": "upwards needs no word; a minus sorts downwards: -name"
    default: nil
    }
  }

  private static func number(endOf text: String) -> String {
    String(text.reversed().prefix(while: \.isNumber).reversed())
  }

  /// Operators of SQL and of programming languages.
  private static let operators = [
    "ILIKE": "without regard to case: LIKE[c]", "REGEXP": "write MATCHES",
    "STARTSWITH": "write BEGINSWITH", "HASPREFIX": "write BEGINSWITH",
    "HASSUFFIX": "write ENDSWITH", "INCLUDES": "write CONTAINS",
  ]

  /// Functions of SQL.
  private static let functions = [
    "upper": "write uppercase:(…)", "ucase": "write uppercase:(…)",
    "lower": "write lowercase:(…)", "lcase": "write lowercase:(…)",
    "len": "write length:(…)", "char_length": "write length:(…)",
    "ceil": "write ceiling:(…)", "mod": "write modulus:by:(a, b)",
    "pow": "write raise:toPower:(a, b)",
    "coalesce": "write TERNARY(a != nil, a, b)", "ifnull": "write TERNARY(a != nil, a, b)",
    "iif": "write TERNARY(condition, a, b)", "if": "write TERNARY(condition, a, b)",
    "date": "dates stand in quotes: \"2026-01-31T09:30:00Z\"",
  ]
}
