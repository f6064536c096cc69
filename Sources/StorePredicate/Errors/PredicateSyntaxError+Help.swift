import StoreDiagnostics

extension PredicateSyntaxError {
  /// Adds what to do about the error; `found` is the text at its place.
  func helping(_ diagnostic: Diagnostic, _ found: String) -> Diagnostic {
    switch kind {
    case .expected(let expectation): helping(diagnostic, found, insteadOf: expectation)
    case .emptyText: diagnostic.helping("TRUEPREDICATE stands for every row, nil for no value")
    case .bareExpression:
      Self.constants[found.uppercased()].map { diagnostic.helping("write \($0)") }
        ?? diagnostic.helping("compare it with something: \(found) == YES")
    case .conditionAsValue:
      diagnostic.helping("TERNARY(condition, a, b) makes a value of one")
    case .reservedWord: diagnostic.helping("a property of that name is written #\(found)")
    case .strayCharacter(let character):
      Self.replacements[character].map { diagnostic.helping($0) } ?? diagnostic
    case .unterminatedString: diagnostic.helping(#"a quote inside a string is written \" or \'"#)
    case .numberOutOfRange:
      diagnostic.helping("integers have 64 bits; larger numbers have an exponent: 1e20")
    case .loneSurrogate: diagnostic.helping(#"write both halves: \uD83D\uDE00"#)
    case .chainedComparison:
      diagnostic.helping("write two, joined with AND: a < b AND b < c")
    case .notBeforeOperator(let word):
      diagnostic.helping("write NOT before the comparison: NOT x \(word) y")
    case .listInParentheses: diagnostic.helping("write it in braces: {1, 2, 3}")
    case .unknownOption:
      diagnostic.helping("options are c (case), d (diacritics), n (normalized) and l (locale)")
    case .unknownFunction(let name): diagnostic.didYouMean(name, among: Self.functions(like: name))
    case .unknownCollectionOperator(let name):
      diagnostic.didYouMean(
        name, among: CollectionOperator.allCases.map(\.rawValue), elseListing: "operators are")
    case .unknownCastType(let name): helping(diagnostic, withTypesLike: name)
    case .invalidKeyPath:
      diagnostic.helping("keys are separated by single dots: list.title")
    case .nestedTooDeeply:
      diagnostic.helping("join long chains with AND, OR or a list: x IN {1, 2, 3}")
    case .unsupported(.assignment):
      diagnostic.helping("pass a variable's value with the request")
    case .unsupported(.customSelector): diagnostic.helping("functions are written name:(a, b)")
    case .unknownPlaceholder:
      diagnostic.helping("the remainder of a division is modulus:by:(a, b)")
    case .placeholderWithoutArguments: diagnostic.helping("use a variable instead: $NAME")
    case .surplusArguments: diagnostic.helping("a placeholder in quotes is plain text")
    case .missingName, .malformedNumber, .argumentCount, .unreadableCast, .unsupported,
      .missingArgument, .argumentMismatch:
      diagnostic
    }
  }

  private func helping(
    _ diagnostic: Diagnostic, _ found: String, insteadOf expectation: Expectation
  ) -> Diagnostic {
    switch expectation {
    case .comparisonOperator: helping(diagnostic, withOperatorsLike: found)
    case .connective: diagnostic.didYouMean(found, among: ["AND", "OR"])
    case .value where found == "=": diagnostic.helping("equality is written ==")
    case .typeName: diagnostic.helping("for example: CAST(name, 'NSNumber')")
    case .variable:
      diagnostic.helping("for example: SUBQUERY(items, $item, $item.done == NO)")
    case .selector: diagnostic.helping("for example: FUNCTION(name, 'uppercaseString')")
    case .options: diagnostic.helping("for example: name ==[cd] 'ray'")
    case .value, .endOfExpression, .closing, .comma, .key, .alias: diagnostic
    }
  }

  private func helping(_ diagnostic: Diagnostic, withOperatorsLike found: String) -> Diagnostic {
    if found.uppercased() == "IS" {
      return diagnostic.helping("a test for a missing value is written == nil or != nil")
    }
    let words = ComparisonTable.words.values.map(\.rawValue).sorted()
    let helped = diagnostic.didYouMean(found, among: words)
    guard helped == diagnostic else { return helped }
    return diagnostic.helping("operators are == != < <= > >= \(words.joined(separator: " "))")
  }

  private func helping(_ diagnostic: Diagnostic, withTypesLike name: String) -> Diagnostic {
    let types = CastType.allCases.map(\.rawValue)
    return diagnostic.didYouMean(name, among: types)
      .helping("types are \(types.joined(separator: ", "))")
  }

  /// With colons or without, as the user wrote it.
  private static func functions(like name: String) -> [String] {
    guard !name.contains(":") else { return BuiltIn.selectors }
    return BuiltIn.selectors.map { String($0.prefix { $0 != ":" }) }
  }

  /// Conditions for constants that stand alone.
  private static let constants = [
    "YES": "TRUEPREDICATE", "TRUE": "TRUEPREDICATE", "1": "TRUEPREDICATE",
    "NO": "FALSEPREDICATE", "FALSE": "FALSEPREDICATE", "0": "FALSEPREDICATE",
  ]

  /// Characters that people type or paste, and what they meant.
  private static let replacements: [Character: String] = {
    var table: [Character: String] = [
      "≠": "write !=", "≤": "write <=", "≥": "write >=", "×": "write *", "÷": "write /",
      "?": "a variable is written $NAME", "`": "strings stand in ' or \"",
      "\\": "a backslash stands only in strings",
      "~": "patterns are compared with LIKE or MATCHES",
      ";": "conditions are joined with AND or OR",
    ]
    for quote in "“”„«»‘’‚" { table[quote] = "strings stand in straight quotes, ' or \"" }
    return table
  }()
}
