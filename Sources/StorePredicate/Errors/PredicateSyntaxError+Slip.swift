extension PredicateSyntaxError {
  /// Returns advice for text that is valid in another language or notation, or nil for other text.
  ///
  /// - Parameters:
  ///   - found: the part of the text at the location of the error.
  ///   - text: the whole text.
  ///   - isHelped: whether the diagnostic already suggests a similar word.
  func slip(_ found: String, in text: String, isHelped: Bool) -> String? {
    let before = String(decoding: text.utf8.prefix(range.lowerBound), as: UTF8.self)
    let after = String(decoding: text.utf8.dropFirst(range.upperBound), as: UTF8.self)
    switch kind {
    case .expected(.endOfExpression): return Self.order(found)
    case .expected(.connective) where found == ",":
      guard before.last?.isNumber == true, after.first?.isNumber == true else { return nil }
      return
        "write decimals with a point: \(Self.number(endOf: before)).\(after.prefix(while: \.isNumber))"
    case .expected(.connective) where !isHelped && found.first?.isLetter == true:
      if before.last == "'" || before.last == "\"" {
        return #"write a quote inside a string as \" or \'"#
      }
      // Two successive words are probably one text without quotes: name == Ray Bradbury.
      return before.last { $0 != " " }?.isLetter == true
        ? "enclose text with spaces in quotes" : nil
    case .expected(.comparisonOperator): return Self.operators[found.uppercased()]
    case .malformedNumber where before.last == "-" && found.contains("T"):
      return "enclose dates in quotes: \"2026-01-31T09:30:00Z\""
    case .bareExpression where Self.isBetween(before):
      return "BETWEEN requires a list of two bounds: BETWEEN {1, 5}"
    case .unknownFunction(let name): return Self.functions[name.lowercased()]
    default: return nil
    }
  }

  /// Returns whether the text ends with `BETWEEN`, a word and `AND`, as in the SQL `age BETWEEN 1 AND 5`.
  private static func isBetween(_ text: String) -> Bool {
    let words = text.uppercased().split(separator: " ")
    return words.suffix(3).first == "BETWEEN" && words.last == "AND"
  }

  private static func order(_ found: String) -> String? {
    switch found.lowercased() {
    case "desc", "descending": "write a minus before a key path for descending order: -name"
    case "as": "only expressions to select can have a name"
    case "asc", "ascending":
      "ascending order is the default; write a minus for descending order: -name"
    default: nil
    }
  }

  private static func number(endOf text: String) -> String {
    String(text.reversed().prefix(while: \.isNumber).reversed())
  }

  /// The advice for operators of SQL and programming languages, by the operator in upper case.
  private static let operators = [
    "ILIKE": "write LIKE[c] to ignore case", "REGEXP": "write MATCHES",
    "STARTSWITH": "write BEGINSWITH", "HASPREFIX": "write BEGINSWITH",
    "HASSUFFIX": "write ENDSWITH", "INCLUDES": "write CONTAINS",
  ]

  /// The advice for functions of SQL, by the name of the function in lower case.
  private static let functions = [
    "upper": "write uppercase:(…)", "ucase": "write uppercase:(…)",
    "lower": "write lowercase:(…)", "lcase": "write lowercase:(…)",
    "len": "write length:(…)", "char_length": "write length:(…)",
    "ceil": "write ceiling:(…)", "mod": "write modulus:by:(a, b)",
    "pow": "write raise:toPower:(a, b)",
    "coalesce": "write TERNARY(a != nil, a, b)", "ifnull": "write TERNARY(a != nil, a, b)",
    "iif": "write TERNARY(condition, a, b)", "if": "write TERNARY(condition, a, b)",
    "date": "enclose dates in quotes: \"2026-01-31T09:30:00Z\"",
  ]
}
