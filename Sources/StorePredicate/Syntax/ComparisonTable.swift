/// How comparison operators, their options and modifiers are spelt.
enum ComparisonTable {
  static let symbols: [Symbol: Comparison.Operator] = [
    .equal: .equal, .assignEqual: .equal,
    .notEqual: .notEqual, .lessGreater: .notEqual,
    .less: .less,
    .lessOrEqual: .lessOrEqual, .equalLess: .lessOrEqual,
    .greater: .greater,
    .greaterOrEqual: .greaterOrEqual, .equalGreater: .greaterOrEqual,
  ]

  static let words: [Keyword: Comparison.Operator] = [
    .between: .between, .in: .in, .contains: .contains, .beginsWith: .beginsWith,
    .endsWith: .endsWith, .like: .like, .matches: .matches,
  ]

  /// In the order in which they are printed.
  static let optionLetters: [(letter: Character, option: Comparison.Options)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]

  static let options = Dictionary(
    uniqueKeysWithValues: optionLetters.map { ($0.letter, $0.option) })

  /// NONE is NOT ANY.
  static let modifiers: [Keyword: (modifier: Comparison.Modifier, isNegated: Bool)] = [
    .any: (.any, false), .some: (.any, false), .all: (.all, false), .none: (.any, true),
  ]
}
