public import StoreDiagnostics

/// Why text is not a predicate or no expression, and where. The prose is in `diagnostic(in:)`.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  // Indirect: errors are rare, and every frame of the parser has room for several.
  public indirect enum Kind: Hashable, Sendable {
    /// Something else had to stand here; the text ends here when the range is empty.
    case expected(Expectation)
    /// Nothing but white space.
    case emptyText
    /// `age` alone: an expression where a condition must stand.
    case bareExpression
    /// `(a == 1)` where a value must stand.
    case conditionAsValue
    case reservedWord(String)
    case strayCharacter(Character)
    case missingName(after: Character)
    case unterminatedString
    case malformedNumber
    case numberOutOfRange
    case loneSurrogate
    /// `a < b < c`
    case chainedComparison
    /// `x NOT IN y`, `x NOT LIKE y`
    case notBeforeOperator(String)
    /// `(1, 2)` where a list is meant.
    case listInParentheses
    case unknownOption(Character)
    case unknownFunction(String)
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    case unknownCollectionOperator(String)
    case unknownCastType(String)
    case unreadableCast(String, type: String)
    case invalidKeyPath(String)
    case nestedTooDeeply(limit: Int)
    /// Part of Apple's language that has no meaning over a store.
    case unsupported(Unsupported)
    case unknownPlaceholder
    /// A placeholder in text that was given no arguments at all.
    case placeholderWithoutArguments
    case missingArgument(index: Int)
    case surplusArguments(used: Int, given: Int)
    case argumentMismatch(index: Int, Placeholder)
  }

  /// What the parser was looking for.
  public enum Expectation: Hashable, Sendable {
    case value
    case comparisonOperator
    /// AND, OR or the end of the text.
    case connective
    /// The end of an expression that stands alone.
    case endOfExpression
    case closing(String)
    case comma
    /// The name behind a dot.
    case key
    /// The second argument of SUBQUERY.
    case variable
    /// The second argument of FUNCTION.
    case selector
    /// The second argument of CAST.
    case typeName
    case options
    /// The name behind AS.
    case alias
  }

  public enum Unsupported: String, Hashable, Sendable {
    case anyKey = "ANYKEY"
    case fetch = "FETCH"
    case utiConformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
    case assignment = ":="
    case customSelector = "selector:"
  }

  public var kind: Kind
  public var range: TextRange

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = TextRange(range)
  }

  /// Explains the error to the user; `text` is what was parsed, and where it came from.
  public func diagnostic(in text: PredicateText) -> Diagnostic {
    let bytes = text.text.utf8.dropFirst(range.lowerBound).prefix(range.range.count)
    let found = String(decoding: bytes, as: UTF8.self)
    let (code, message) = headline(found)
    let diagnostic = Diagnostic(.error, "predicate.\(code)", message)
    let helped = helping(diagnostic, found)
    // What is known for certain goes before what is only near.
    let slip = slip(found, in: text.text, isHelped: helped != diagnostic)
    return text.locate(slip.map { diagnostic.helping($0) } ?? helped, at: range.range)
  }

  /// `found` is the text at the place of the error.
  private func headline(_ found: String) -> (code: String, message: String) {
    switch kind {
    case .expected(let expectation):
      (
        "unexpected",
        "expected \(expectation.words), found \(found.isEmpty ? "the end of the text" : "'\(found)'")"
      )
    case .emptyText: ("empty", "there is no text to read")
    case .bareExpression: ("bare-expression", "'\(found)' alone is not a condition")
    case .conditionAsValue: ("condition-as-value", "'\(found)' is a condition, not a value")
    case .reservedWord(let word):
      ("reserved-word", "'\(found)' is a word of the language (\(word))")
    case .strayCharacter(let character): ("stray-character", "'\(character)' has no meaning here")
    case .missingName(let sign): ("missing-name", "expected a name behind '\(sign)'")
    case .unterminatedString: ("unterminated-string", "the string that begins here does not end")
    case .malformedNumber: ("malformed-number", "'\(found)' is neither a number nor a name")
    case .numberOutOfRange: ("number-out-of-range", "\(found) does not fit a number")
    case .loneSurrogate: ("lone-surrogate", "'\(found)' is half of a character")
    case .chainedComparison:
      ("chained-comparison", "a comparison does not continue with '\(found)'")
    case .notBeforeOperator(let word): ("not-before-operator", "NOT does not stand before \(word)")
    case .listInParentheses: ("list-in-parentheses", "a list does not stand in parentheses")
    case .unknownOption(let letter): ("unknown-option", "there is no option '\(letter)'")
    case .unknownFunction(let name): ("unknown-function", "there is no function '\(name)'")
    case .argumentCount(let function, let expected, let count):
      ("argument-count", "'\(function)' takes \(Self.words(expected)), not \(count)")
    case .unknownCollectionOperator(let name):
      ("unknown-collection-operator", "there is no collection operator '\(name)'")
    case .unknownCastType(let name): ("unknown-cast-type", "there is no cast to '\(name)'")
    case .unreadableCast(let text, let type):
      ("unreadable-cast", "'\(text)' is not \(type.withArticle)")
    case .invalidKeyPath(let path): ("invalid-key-path", "'\(path)' is not a key path")
    case .nestedTooDeeply(let limit): ("nested-too-deeply", "more than \(limit) levels of nesting")
    case .unsupported(let part): ("unsupported", part.reason)
    case .unknownPlaceholder: ("unknown-placeholder", "'\(found)' is not a placeholder")
    case .placeholderWithoutArguments:
      ("placeholder", "'\(found)' stands for an argument, and there are none")
    case .missingArgument(let index):
      ("missing-argument", "placeholder \(index), '\(found)', has no argument")
    case .surplusArguments(let used, let given):
      ("surplus-arguments", "\(given) arguments were given for \(used) placeholders")
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
    case .anyKey: "ANYKEY has a meaning only for Spotlight, not over a store"
    case .fetch: "FETCH is built only in code; text cannot hold a fetch request"
    case .utiConformsTo, .utiEquals:
      "\(rawValue) asks the system's type registry, which a store does not have"
    case .assignment: "variables cannot be assigned in a predicate"
    case .customSelector: "a comparison by a selector of your own needs code to call"
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
