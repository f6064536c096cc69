/// The words of the grammar, which are case-insensitive.
enum Keyword: String, Hashable, Sendable, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case utiConformsTo = "UTI-CONFORMS-TO"
  case utiEquals = "UTI-EQUALS"
  case null = "NULL"
  case `nil` = "NIL"
  case `self` = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case caseInsensitive = "CASEINSENSITIVE"
  case ci = "CI"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case fetch = "FETCH"
  case cast = "CAST"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
  case ternary = "TERNARY"
  case function = "FUNCTION"
  case `as` = "AS"

  private static let table = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  private static let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0

  /// Creates the keyword that `word` spells, or returns nil if it isn't a keyword. Only the case of ASCII letters is
  /// ignored, so `LıKE` with a dotless i isn't a keyword.
  init?(spelling word: some Collection<UInt8>) {
    guard word.count <= Self.longest, word.allSatisfy({ $0 < 0x80 }),
      let keyword = Self.table[String(decoding: word, as: UTF8.self).uppercased()]
    else { return nil }
    self = keyword
  }

  /// Whether a property with this name is written with a `#`. The other keywords have a meaning only where a name isn't
  /// possible, or before a parenthesis.
  var isReserved: Bool {
    switch self {
    case .union, .intersect, .minus, .ternary, .function, .as: false
    default: true
    }
  }

  /// Whether the keyword is parsed as a name if a value is expected and no parenthesis follows. Such a keyword has no
  /// other meaning there, and attributes often have names such as `size` or `first`.
  var isNameInValuePosition: Bool {
    switch self {
    case .first, .last, .size, .caseInsensitive, .ci, .subquery, .fetch, .cast: true
    default: !isReserved
    }
  }
}
