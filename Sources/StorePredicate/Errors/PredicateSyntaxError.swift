public import StoreDiagnostics

/// The reason and the location of an error in the text of a predicate or expression.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  // Indirect: errors are rare, and every frame of the parser has room for several.
  /// The reason of a syntax error.
  public indirect enum Kind: Hashable, Sendable {
    /// The text doesn't continue as expected. If the range is empty, the text ends here.
    case expected(Expectation)
    /// The text contains only white space.
    case emptyText
    /// An expression such as `age` where a condition is required.
    case bareExpression
    /// A condition such as `(a == 1)` where a value is required.
    case conditionAsValue
    /// A reserved word where a name is required.
    case reservedWord(String)
    /// A character that isn't part of the language.
    case strayCharacter(Character)
    /// `$`, `#` or `@` without a name.
    case missingName(after: Character)
    /// A string without a closing quote.
    case unterminatedString
    /// Text that begins like a number and isn't one.
    case malformedNumber
    /// An integer that doesn't fit in 64 bits, or a real number that isn't finite.
    case numberOutOfRange
    /// Half of a surrogate pair in a string.
    case loneSurrogate
    /// Two comparisons in a row, as in `a < b < c`.
    case chainedComparison
    /// NOT before an operator, as in `x NOT IN y` and `x NOT LIKE y`.
    case notBeforeOperator(String)
    /// A list in parentheses, such as `(1, 2)`.
    case listInParentheses
    /// An unknown letter in the options of a comparison, such as `==[x]`.
    case unknownOption(Character)
    /// An unknown function.
    case unknownFunction(String)
    /// A function with a wrong number of arguments.
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    /// An unknown collection operator, such as `@first`.
    case unknownCollectionOperator(String)
    /// CAST to an unknown type.
    case unknownCastType(String)
    /// CAST of a constant that the type can't represent.
    case unreadableCast(String, type: String)
    /// Text that isn't a key path.
    case invalidKeyPath(String)
    /// The text has more levels of nesting than `limit`.
    case nestedTooDeeply(limit: Int)
    /// A part of Apple's language that has no meaning for a store.
    case unsupported(Unsupported)
    /// A percent sign that doesn't begin a placeholder.
    case unknownPlaceholder
    /// The text contains a placeholder, but no arguments were passed.
    case placeholderWithoutArguments
    /// A placeholder without an argument. `index` counts from 1.
    case missingArgument(index: Int)
    /// More arguments than placeholders.
    case surplusArguments(used: Int, given: Int)
    /// An argument whose type doesn't fit its placeholder. `index` counts from 1.
    case argumentMismatch(index: Int, Placeholder)
  }

  /// The token that the parser expected.
  public enum Expectation: Hashable, Sendable {
    /// A value, key path or function.
    case value
    /// A comparison operator.
    case comparisonOperator
    /// AND, OR or the end of the text.
    case connective
    /// The end of a text that contains only an expression.
    case endOfExpression
    /// A closing parenthesis, brace or bracket.
    case closing(String)
    /// A comma.
    case comma
    /// The name after a dot.
    case key
    /// The second argument of SUBQUERY.
    case variable
    /// The second argument of FUNCTION.
    case selector
    /// The second argument of CAST.
    case typeName
    /// The options of a comparison.
    case options
    /// The name after AS.
    case alias
  }

  /// A part of Apple's language that storetool doesn't support.
  public enum Unsupported: String, Hashable, Sendable {
    /// ANYKEY, which is only defined for Spotlight.
    case anyKey = "ANYKEY"
    /// A fetch request in an expression.
    case fetch = "FETCH"
    /// UTI-CONFORMS-TO, which requires the system's registry of types.
    case utiConformsTo = "UTI-CONFORMS-TO"
    /// UTI-EQUALS, which requires the system's registry of types.
    case utiEquals = "UTI-EQUALS"
    /// The assignment of a variable.
    case assignment = ":="
    /// A comparison by a selector of the program.
    case customSelector = "selector:"
  }

  /// The reason of the error.
  public var kind: Kind
  /// The location in the parsed text.
  public var range: TextRange

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = TextRange(range)
  }

  /// Returns the diagnostic of the error. `text` is the parsed text with its origin.
  public func diagnostic(in text: PredicateText) -> Diagnostic {
    let bytes = text.text.utf8.dropFirst(range.lowerBound).prefix(range.range.count)
    let found = String(decoding: bytes, as: UTF8.self)
    let (code, message) = headline(found)
    let diagnostic = Diagnostic(.error, "predicate.\(code)", message)
    let helped = helping(diagnostic, found)
    // Certain advice precedes the suggestion of similar words.
    let slip = slip(found, in: text.text, isHelped: helped != diagnostic)
    return text.locate(slip.map { diagnostic.helping($0) } ?? helped, at: range.range)
  }

  /// Returns the code and the message. `found` is the text at the location of the error.
  private func headline(_ found: String) -> (code: String, message: String) {
    switch kind {
    case .expected(let expectation):
      (
        "unexpected",
        "expected \(expectation.words), found \(found.isEmpty ? "the end of the text" : "'\(found)'")"
      )
    case .emptyText: ("empty", "the text is empty")
    case .bareExpression: ("bare-expression", "'\(found)' is not a condition")
    case .conditionAsValue: ("condition-as-value", "'\(found)' is a condition, not a value")
    case .reservedWord(let word):
      ("reserved-word", "'\(found)' is a reserved word (\(word))")
    case .strayCharacter(let character): ("stray-character", "'\(character)' is not valid here")
    case .missingName(let sign): ("missing-name", "expected a name after '\(sign)'")
    case .unterminatedString: ("unterminated-string", "the string has no closing quote")
    case .malformedNumber: ("malformed-number", "'\(found)' is not a valid number")
    case .numberOutOfRange: ("number-out-of-range", "\(found) is too large for a number")
    case .loneSurrogate: ("lone-surrogate", "'\(found)' is only half of a surrogate pair")
    case .chainedComparison:
      ("chained-comparison", "'\(found)' can't follow a comparison")
    case .notBeforeOperator(let word): ("not-before-operator", "NOT can't precede \(word)")
    case .listInParentheses: ("list-in-parentheses", "a list can't be in parentheses")
    case .unknownOption(let letter): ("unknown-option", "unknown option '\(letter)'")
    case .unknownFunction(let name): ("unknown-function", "unknown function '\(name)'")
    case .argumentCount(let function, let expected, let count):
      ("argument-count", "'\(function)' requires \(Self.words(expected)), not \(count)")
    case .unknownCollectionOperator(let name):
      ("unknown-collection-operator", "unknown collection operator '\(name)'")
    case .unknownCastType(let name): ("unknown-cast-type", "unknown type '\(name)' in CAST")
    case .unreadableCast(let text, let type):
      ("unreadable-cast", "'\(text)' is not \(type.withArticle)")
    case .invalidKeyPath(let path): ("invalid-key-path", "'\(path)' is not a key path")
    case .nestedTooDeeply(let limit):
      ("nested-too-deeply", "the text has more than \(limit) levels of nesting")
    case .unsupported(let part): ("unsupported", part.reason)
    case .unknownPlaceholder: ("unknown-placeholder", "'\(found)' is not a placeholder")
    case .placeholderWithoutArguments:
      ("placeholder", "'\(found)' is a placeholder, but there are no arguments")
    case .missingArgument(let index):
      ("missing-argument", "there is no argument for placeholder \(index), '\(found)'")
    case .surplusArguments(let used, let given):
      ("surplus-arguments", "there are \(given) arguments for \(used) placeholders")
    case .argumentMismatch(let index, let placeholder):
      (
        "argument-mismatch",
        "argument \(index) for '\(found)' is not \(placeholder.noun.withArticle)"
      )
    }
  }

  private static func words(_ count: ClosedRange<Int>) -> String {
    switch (count.lowerBound, count.upperBound) {
    case (0, 0): "no arguments"
    case (1, 1): "one argument"
    case (1, Int.max): "one argument or more"
    default: "\(count.lowerBound) arguments"
    }
  }
}

extension PredicateSyntaxError.Expectation {
  fileprivate var words: String {
    switch self {
    case .value: "a value, key path or function"
    case .comparisonOperator: "a comparison operator"
    case .connective: "AND, OR or the end"
    case .endOfExpression: "an operator or the end"
    case .closing(let sign): "'\(sign)'"
    case .comma: "','"
    case .key: "a key"
    case .variable: "a variable"
    case .selector: "a selector in quotes"
    case .typeName: "the name of a type in quotes"
    case .options: "options"
    case .alias: "a name"
    }
  }
}

extension PredicateSyntaxError.Unsupported {
  fileprivate var reason: String {
    switch self {
    case .anyKey: "ANYKEY is only defined for Spotlight, not for stores"
    case .fetch: "text can't contain a fetch request, which only code can create"
    case .utiConformsTo, .utiEquals:
      "\(rawValue) requires the system's registry of types, which isn't available to stores"
    case .assignment: "variables can't be assigned in a predicate"
    case .customSelector: "a comparison by your own selector requires code"
    }
  }
}

extension Placeholder {
  fileprivate var noun: String {
    switch self {
    case .object: "value"
    case .keyPath: "key path"
    case .integer: "integer"
    case .double: "number"
    case .string: "string"
    case .character: "character"
    }
  }
}

extension PredicateSyntaxError {
  /// Adds a remedy. `found` is the text at the location of the error.
  func helping(_ diagnostic: Diagnostic, _ found: String) -> Diagnostic {
    switch kind {
    case .expected(let expectation): helping(diagnostic, found, insteadOf: expectation)
    case .emptyText:
      diagnostic.helping("write TRUEPREDICATE for all rows, or nil for a missing value")
    case .bareExpression:
      Self.constants[found.uppercased()].map { diagnostic.helping("write \($0)") }
        ?? diagnostic.helping("compare it with a value: \(found) == YES")
    case .conditionAsValue:
      diagnostic.helping("TERNARY(condition, a, b) converts a condition to a value")
    case .reservedWord: diagnostic.helping("write a property of that name as #\(found)")
    case .strayCharacter(let character):
      Self.replacements[character].map { diagnostic.helping($0) } ?? diagnostic
    case .unterminatedString: diagnostic.helping(#"write a quote inside a string as \" or \'"#)
    case .numberOutOfRange:
      diagnostic.helping("integers have 64 bits; write larger numbers with an exponent: 1e20")
    case .loneSurrogate: diagnostic.helping(#"write both halves: \uD83D\uDE00"#)
    case .chainedComparison:
      diagnostic.helping("write two comparisons, joined with AND: a < b AND b < c")
    case .notBeforeOperator(let word):
      diagnostic.helping("write NOT before the comparison: NOT x \(word) y")
    case .listInParentheses: diagnostic.helping("write the list in braces: {1, 2, 3}")
    case .unknownOption:
      diagnostic.helping("the options are c (case), d (diacritics), n (normalized) and l (locale)")
    case .unknownFunction(let name): diagnostic.didYouMean(name, among: Self.functions(like: name))
    case .unknownCollectionOperator(let name):
      diagnostic.didYouMean(
        name, among: CollectionOperator.allCases.map(\.rawValue), elseListing: "the operators are")
    case .unknownCastType(let name): helping(diagnostic, withTypesLike: name)
    case .invalidKeyPath:
      diagnostic.helping("separate keys by single dots: list.title")
    case .nestedTooDeeply:
      diagnostic.helping("join long chains with AND, OR or a list: x IN {1, 2, 3}")
    case .unsupported(.assignment):
      diagnostic.helping("pass the value of the variable with the request")
    case .unsupported(.customSelector): diagnostic.helping("write functions as name:(a, b)")
    case .unknownPlaceholder:
      diagnostic.helping("for the remainder of a division, write modulus:by:(a, b)")
    case .placeholderWithoutArguments: diagnostic.helping("write a variable: $NAME")
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
    case .value where found == "=": diagnostic.helping("write ==")
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
      return diagnostic.helping("to test for a missing value, write == nil or != nil")
    }
    let words = ComparisonTable.words.values.map(\.rawValue).sorted()
    let helped = diagnostic.didYouMean(found, among: words)
    guard helped == diagnostic else { return helped }
    return diagnostic.helping("the operators are == != < <= > >= \(words.joined(separator: " "))")
  }

  private func helping(_ diagnostic: Diagnostic, withTypesLike name: String) -> Diagnostic {
    let types = CastType.allCases.map(\.rawValue)
    return diagnostic.didYouMean(name, among: types)
      .helping("the types are \(types.joined(separator: ", "))")
  }

  /// Returns the functions with a similar name, with or without colons like the user's name.
  private static func functions(like name: String) -> [String] {
    guard !name.contains(":") else { return BuiltIn.selectors }
    return BuiltIn.selectors.map { String($0.prefix { $0 != ":" }) }
  }

  /// The conditions for constants.
  private static let constants = [
    "YES": "TRUEPREDICATE", "TRUE": "TRUEPREDICATE", "1": "TRUEPREDICATE",
    "NO": "FALSEPREDICATE", "FALSE": "FALSEPREDICATE", "0": "FALSEPREDICATE",
  ]

  /// Characters that people type or paste by mistake, with their replacements.
  private static let replacements: [Character: String] = {
    var table: [Character: String] = [
      "≠": "write !=", "≤": "write <=", "≥": "write >=", "×": "write *", "÷": "write /",
      "?": "write a variable as $NAME", "`": "write strings in ' or \"",
      "\\": "a backslash is only valid in strings",
      "~": "compare patterns with LIKE or MATCHES",
      ";": "join conditions with AND or OR",
    ]
    for quote in "“”„«»‘’‚" { table[quote] = "write strings in straight quotes, ' or \"" }
    return table
  }()
}
