public import StoreDiagnostics

/// The reason why text isn't a predicate or an expression, with its location. `diagnostic(in:)` returns the message.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  // Indirect, because each stack frame of the parser reserves space for several errors.
  /// The kinds of syntax errors.
  public indirect enum Kind: Hashable, Sendable {
    /// The text is valid up to the error, but the expected part is missing. The range is empty at the end of the text.
    case expected(Expectation)
    /// The text is empty or consists of white space.
    case emptyText
    /// `age` alone: an expression instead of a condition.
    case bareExpression
    /// `(a == 1)`: a condition instead of a value.
    case conditionAsValue
    /// A keyword instead of a value.
    case reservedWord(String)
    /// A character that doesn't belong to the grammar.
    case strayCharacter(Character)
    /// `$`, `@` or `#` without a name.
    case missingName(after: Character)
    /// A string without a closing quote.
    case unterminatedString
    /// Digits that aren't a number, such as `12abc` or `0x`.
    case malformedNumber
    /// A number that doesn't fit in 64 bits or in a Double.
    case numberOutOfRange
    /// `\uD83D`: half of a surrogate pair.
    case loneSurrogate
    /// A second operator after a comparison, such as `a < b < c`.
    case chainedComparison
    /// NOT directly before an operator, such as `x NOT IN y`. The value is the operator.
    case notBeforeOperator(String)
    /// `(1, 2)` instead of a list in braces.
    case listInParentheses
    /// A letter in brackets that isn't an option of comparisons.
    case unknownOption(Character)
    /// A call of a function that doesn't exist.
    case unknownFunction(String)
    /// A function with too few or too many arguments.
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    /// `@name` that isn't a collection operator.
    case unknownCollectionOperator(String)
    /// `CAST` to a type that doesn't exist.
    case unknownCastType(String)
    /// A literal that can't be converted to the type of its `CAST`.
    case unreadableCast(String, type: String)
    /// An argument of `%K` with an empty key.
    case invalidKeyPath(String)
    /// Parentheses or a tree that exceed the maximum depth.
    case nestedTooDeeply(limit: Int)
    /// A part of Apple's language that isn't available for a store.
    case unsupported(Unsupported)
    /// `%` with an unknown letter.
    case unknownPlaceholder
    /// A placeholder in text that is parsed without arguments.
    case placeholderWithoutArguments
    /// Fewer arguments than placeholders. The index counts from 1.
    case missingArgument(index: Int)
    /// More arguments than placeholders.
    case surplusArguments(used: Int, given: Int)
    /// An argument that doesn't fit the placeholder. The index counts from 1.
    case argumentMismatch(index: Int, FormatPlaceholder)
  }

  /// The part that the parser expected.
  public enum Expectation: Hashable, Sendable {
    /// A value, key path or function.
    case value
    /// An operator such as `==` or CONTAINS.
    case comparisonOperator
    /// AND, OR or the end of the text.
    case connective
    /// An operator or the end of an expression.
    case endOfExpression
    /// A closing parenthesis, bracket or brace.
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
    /// The letters in the brackets after an operator.
    case options
    /// The name after AS.
    case alias
  }

  /// The parts of Apple's language that aren't available for a store.
  public enum Unsupported: String, Hashable, Sendable {
    /// `ANYKEY`, for Spotlight.
    case anyKey = "ANYKEY"
    /// `FETCH(…)`, a nested fetch request.
    case fetch = "FETCH"
    /// `UTI-CONFORMS-TO`, a test of type identifiers.
    case utiConformsTo = "UTI-CONFORMS-TO"
    /// `UTI-EQUALS`, a test of type identifiers.
    case utiEquals = "UTI-EQUALS"
    /// `:=`, the assignment of a variable.
    case assignment = ":="
    /// A comparison that calls a custom selector.
    case customSelector = "selector:"
  }

  /// The kind of the error.
  public var kind: Kind
  /// The location in the text.
  public var range: TextRange

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = TextRange(range)
  }

  /// Returns a diagnostic that explains the error.
  ///
  /// - Parameter text: the parsed text with its origin.
  /// - Returns: an error with its location and, if possible, a fix.
  public func diagnostic(in text: PredicateText) -> DiagnosticMessage {
    diagnostic(in: text, readAs: .predicate)
  }

  /// The expected kind of a text.
  package enum TextKind: Hashable, Sendable {
    case predicate, expression, list
  }

  /// Returns a diagnostic that explains the error, as `diagnostic(in:)` does.
  ///
  /// - Parameter textKind: what the text should be, which determines the advice for an empty text.
  package func diagnostic(in text: PredicateText, readAs textKind: TextKind) -> DiagnosticMessage {
    let bytes = text.text.utf8.dropFirst(range.lowerBound).prefix(range.range.count)
    let found = String(decoding: bytes, as: UTF8.self)
    let (code, message) = headline(found)
    let isEmpty = kind == .emptyText && textKind == .predicate
    let diagnostic = DiagnosticMessage(
      .error, "predicate.\(code)", isEmpty ? "the predicate is empty" : message)
    let helped =
      switch (kind, textKind) {
      case (.emptyText, .predicate): diagnostic.helping("to match all rows: TRUEPREDICATE")
      case (.emptyText, .expression): diagnostic.helping("for no value: nil")
      default: helping(diagnostic, found, isFromFile: text.origin != nil)
      }
    // Advice about another language is more reliable than the suggestion of a similar word, and replaces it.
    let slip = slip(found, in: text.text, isHelped: helped != diagnostic)
    return text.locate(slip.map { diagnostic.helping($0) } ?? helped, at: range.range)
  }

  /// - Parameter found: the text at the location of the error.
  private func headline(_ found: String) -> (code: String, message: String) {
    switch kind {
    case .expected(let expectation):
      (
        "unexpected",
        "expected \(expectation.words), found \(found.isEmpty ? "the end of the text" : "'\(found)'")"
      )
    case .emptyText: ("empty", "the text is empty")
    case .bareExpression: ("bare-expression", "'\(found)' is a value, not a condition")
    case .conditionAsValue: ("condition-as-value", "'\(found)' is a condition, not a value")
    case .reservedWord(let word):
      (
        "reserved-word",
        found == word
          ? "'\(found)' is a reserved word, so it can't be a value here"
          : "'\(found)' is the reserved word \(word), so it can't be a value here"
      )
    case .strayCharacter(let character): ("stray-character", "unexpected character '\(character)'")
    case .missingName(let sign): ("missing-name", "expected a name after '\(sign)'")
    case .unterminatedString: ("unterminated-string", "unterminated string")
    case .malformedNumber: ("malformed-number", "'\(found)' is neither a number nor a name")
    case .numberOutOfRange: ("number-out-of-range", "\(found) is out of range")
    case .loneSurrogate: ("lone-surrogate", "'\(found)' is an unpaired surrogate")
    case .chainedComparison:
      ("chained-comparison", "unexpected '\(found)' after a comparison")
    case .notBeforeOperator(let word): ("not-before-operator", "unexpected NOT before \(word)")
    case .listInParentheses: ("list-in-parentheses", "unexpected list in parentheses")
    case .unknownOption(let letter): ("unknown-option", "unknown option '\(letter)'")
    case .unknownFunction(let name): ("unknown-function", "unknown function '\(name)'")
    case .argumentCount(let function, let expected, let count):
      ("argument-count", "'\(function)' requires \(Self.words(expected)), not \(count)")
    case .unknownCollectionOperator(let name):
      ("unknown-collection-operator", "unknown collection operator '\(name)'")
    case .unknownCastType(let name): ("unknown-cast-type", "unknown cast type '\(name)'")
    case .unreadableCast(let text, let type):
      ("unreadable-cast", "'\(text)' isn't \(type.withArticle)")
    case .invalidKeyPath(let path): ("invalid-key-path", "'\(path)' isn't a key path")
    case .nestedTooDeeply(let limit): ("nested-too-deeply", "more than \(limit) levels of nesting")
    case .unsupported(let part): ("unsupported", part.reason)
    case .unknownPlaceholder: ("unknown-placeholder", "unknown placeholder '\(found)'")
    case .placeholderWithoutArguments:
      ("placeholder", "the placeholder '\(found)' requires an argument")
    case .missingArgument(let index):
      ("missing-argument", "missing argument for placeholder \(index), '\(found)'")
    case .surplusArguments(let used, let given):
      (
        "surplus-arguments",
        "found \(given) \("argument".plural(given)) for \(used) \("placeholder".plural(used))"
      )
    case .argumentMismatch(let index, let placeholder):
      (
        "argument-mismatch",
        "argument \(index) for '\(found)' isn't \(placeholder.noun.withArticle)"
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
    case .connective: "AND, OR or the end of the predicate"
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
    case .anyKey: "ANYKEY is only available for Spotlight, not for a store"
    case .fetch: "FETCH is only available in code: text can't contain a fetch request"
    case .utiConformsTo, .utiEquals:
      "\(rawValue) requires the system's type registry, which isn't available for a store"
    case .assignment: "a predicate can't assign variables"
    case .customSelector: "comparisons with custom selectors aren't supported"
    }
  }
}

extension FormatPlaceholder {
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
  /// Returns the diagnostic with a fix for the error, or unchanged if no fix is known.
  ///
  /// - Parameters:
  ///   - found: the text at the location of the error.
  ///   - isFromFile: whether the text is in a model or another file, and not in a command or in code.
  func helping(_ diagnostic: DiagnosticMessage, _ found: String, isFromFile: Bool)
    -> DiagnosticMessage
  {
    switch kind {
    case .expected(let expectation): helping(diagnostic, found, insteadOf: expectation)
    case .bareExpression:
      found.uppercased().hasPrefix("SUBQUERY(")
        ? diagnostic.helping("compare the number of its members: \(found).@count > 0")
        : Self.constants[found.uppercased()].map { diagnostic.helping("write \($0)") }
          ?? diagnostic.helping("compare it with a value, for example: \(found) == …")
    case .conditionAsValue:
      diagnostic.helping("convert it to a value with TERNARY(condition, a, b)")
    case .reservedWord: diagnostic.helping("write #\(found) for a property of that name")
    case .strayCharacter(let character):
      Self.replacements[character].map { diagnostic.helping($0) } ?? diagnostic
    case .unterminatedString: diagnostic.helping("add the closing quote")
    case .numberOutOfRange where Double(found)?.isFinite == false:
      diagnostic.helping("the greatest number is about 1.8e308")
    case .numberOutOfRange:
      diagnostic.helping(
        "integers are limited to 64 bits; write larger numbers with an exponent: 1e20")
    case .loneSurrogate: diagnostic.helping(#"write both surrogates: \uD83D\uDE00"#)
    case .chainedComparison:
      diagnostic.helping("write two comparisons joined with AND: a < b AND b < c")
    case .notBeforeOperator(let word):
      diagnostic.helping("write NOT before the comparison: NOT x \(word) y")
    case .listInParentheses: diagnostic.helping("write a list in braces: {1, 2, 3}")
    case .unknownOption:
      diagnostic.helping("options are c (case), d (diacritics), n (normalized) and l (locale)")
    case .unknownFunction(let name): diagnostic.didYouMean(name, among: Self.functions(like: name))
    case .unknownCollectionOperator(let name):
      diagnostic.didYouMean(
        name, among: CollectionOperator.allCases.map(\.rawValue), elseListing: "operators are")
    case .unknownCastType(let name): helping(diagnostic, withTypesLike: name)
    case .invalidKeyPath:
      diagnostic.helping("separate keys with single dots: list.title")
    case .nestedTooDeeply:
      diagnostic.helping("join long chains with AND, OR or a list: x IN {1, 2, 3}")
    case .unsupported(.assignment):
      diagnostic.helping("pass the variable's value with the request")
    case .unsupported(.customSelector): diagnostic.helping("write functions as name:(a, b)")
    case .unknownPlaceholder:
      diagnostic.helping("write the remainder of a division as modulus:by:(a, b)")
    case .placeholderWithoutArguments:
      diagnostic.helping(
        isFromFile
          ? "use a variable instead: $NAME" : "replace it with a value, such as name == \"Ray\"")
    case .surplusArguments: diagnostic.helping("placeholders in quotes are plain text")
    case .emptyText, .missingName, .malformedNumber, .argumentCount, .unreadableCast,
      .unsupported, .missingArgument, .argumentMismatch:
      diagnostic
    }
  }

  private func helping(
    _ diagnostic: DiagnosticMessage, _ found: String, insteadOf expectation: Expectation
  ) -> DiagnosticMessage {
    switch expectation {
    case .comparisonOperator: helping(diagnostic, withOperatorsLike: found)
    case .connective: diagnostic.didYouMean(found, among: ["AND", "OR"])
    case .value where found == "=": diagnostic.helping("write == for equality")
    case .typeName: diagnostic.helping("for example: CAST(name, 'NSNumber')")
    case .variable:
      diagnostic.helping("for example: SUBQUERY(items, $item, $item.done == NO)")
    case .selector: diagnostic.helping("for example: FUNCTION(name, 'uppercaseString')")
    case .options:
      diagnostic.helping(
        #"[…] after an operator contains options, such as [cd]; a list is written in braces: {"a", "b"}"#
      )
    case .value, .endOfExpression, .closing, .comma, .key, .alias: diagnostic
    }
  }

  private func helping(_ diagnostic: DiagnosticMessage, withOperatorsLike found: String)
    -> DiagnosticMessage
  {
    if found.uppercased() == "IS" {
      return diagnostic.helping("test for a missing value with == nil or != nil")
    }
    let words = ComparisonTable.words.values.map(\.rawValue).sorted()
    let helped = diagnostic.didYouMean(found, among: words)
    guard helped == diagnostic else { return helped }
    return diagnostic.helping("operators are == != < <= > >= \(words.joined(separator: " "))")
  }

  private func helping(_ diagnostic: DiagnosticMessage, withTypesLike name: String)
    -> DiagnosticMessage
  {
    let types = CastType.allCases.map(\.rawValue)
    return diagnostic.didYouMean(name, among: types)
      .helping("types are \(types.joined(separator: ", "))")
  }

  /// Returns the names of all functions for the suggestion of a similar one: the selectors if `name` contains a colon,
  /// otherwise their first words.
  private static func functions(like name: String) -> [String] {
    guard !name.contains(":") else { return BuiltIn.selectors }
    return BuiltIn.selectors.map { String($0.prefix { $0 != ":" }) }
  }

  /// The conditions to write instead of constants, by the constant in upper case.
  private static let constants = [
    "YES": "TRUEPREDICATE", "TRUE": "TRUEPREDICATE", "1": "TRUEPREDICATE",
    "NO": "FALSEPREDICATE", "FALSE": "FALSEPREDICATE", "0": "FALSEPREDICATE",
  ]

  /// The advice for characters that aren't part of the language, by character.
  private static let replacements: [Character: String] = {
    var table: [Character: String] = [
      "≠": "write !=", "≤": "write <=", "≥": "write >=", "×": "write *", "÷": "write /",
      "?": "write a variable as $NAME", "`": "enclose strings in ' or \"",
      "\\": "a backslash is only valid in strings",
      "~": "match patterns with LIKE or MATCHES",
      ";": "join conditions with AND or OR",
    ]
    for quote in "“”„«»‘’‚" { table[quote] = "enclose strings in straight quotes, ' or \"" }
    return table
  }()
}
