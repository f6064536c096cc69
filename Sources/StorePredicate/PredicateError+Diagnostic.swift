public import StoreDiagnostics

extension PredicateError {
  /// Explains the error to the user; `text` is what was parsed, and where it came from.
  public func diagnostic(in text: PredicateText) -> Diagnostic {
    let found = Found(text.text, range.range)
    return text.locate(explanation(found), at: range.range)
  }

  /// The user's words at the place of the error.
  private struct Found {
    var text: String
    /// Quoted, or a description where there is nothing to quote.
    var description: String

    init(_ source: String, _ range: Range<Int>) {
      let bytes = source.utf8.dropFirst(range.lowerBound).prefix(range.count)
      text = String(decoding: bytes, as: UTF8.self)
      description = range.isEmpty ? "the end of the text" : "'\(text)'"
    }
  }

  private func explanation(_ found: Found) -> Diagnostic {
    switch kind {
    case .expected(let expectation): expected(expectation, found)
    case .bareExpression, .conditionAsValue, .chainedComparison, .notBeforeOperator,
      .listInParentheses, .emptyText:
      structureExplanation(found)
    case .reservedWord, .strayCharacter, .missingName, .unterminatedString, .malformedNumber,
      .numberOutOfRange, .loneSurrogate, .unknownPlaceholder:
      wordExplanation(found)
    case .unknownOption, .unknownFunction, .argumentCount, .unknownCollectionOperator,
      .unknownCastType, .unreadableCast, .invalidKeyPath:
      nameExplanation
    case .nestedTooDeeply, .unsupported: limitExplanation
    case .placeholderWithoutArguments, .missingArgument, .surplusArguments, .argumentMismatch:
      argumentExplanation(found)
    }
  }

  private func error(_ code: String, _ message: String) -> Diagnostic {
    Diagnostic(.error, "predicate.\(code)", message)
  }
}

// MARK: - Something else should stand here

extension PredicateError {
  private func expected(_ expectation: Expectation, _ found: Found) -> Diagnostic {
    let diagnostic = error(
      "unexpected", "expected \(Self.words(for: expectation)), found \(found.description)")
    switch expectation {
    case .comparisonOperator: return helpForOperator(diagnostic, found)
    case .connective:
      return diagnostic.didYouMean(found.text, among: ["AND", "OR"])
    case .value where found.text == "=":
      return diagnostic.helping("equality is written ==")
    case .typeName:
      return diagnostic.helping("for example: CAST(name, 'NSNumber')")
    case .variable:
      return diagnostic.helping("for example: SUBQUERY(items, $item, $item.done == NO)")
    case .selector:
      return diagnostic.helping("for example: FUNCTION(name, 'uppercaseString')")
    case .options:
      return diagnostic.helping("for example: name ==[cd] 'ray'")
    case .value, .endOfExpression, .closing, .comma, .key, .alias: return diagnostic
    }
  }

  private static func words(for expectation: Expectation) -> String {
    switch expectation {
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

  private func helpForOperator(_ diagnostic: Diagnostic, _ found: Found) -> Diagnostic {
    if found.text.uppercased() == "IS" {
      return diagnostic.helping("a test for a missing value is written == nil or != nil")
    }
    let words = ComparisonTable.words.values.map(\.rawValue).sorted()
    let helped = diagnostic.didYouMean(found.text, among: words)
    return helped.help.isEmpty
      ? helped.helping("operators are == != < <= > >= \(words.joined(separator: " "))") : helped
  }
}

// MARK: - Whole structures

extension PredicateError {
  private func structureExplanation(_ found: Found) -> Diagnostic {
    switch kind {
    case .emptyText:
      return error("empty", "there is no text to read")
        .helping("TRUEPREDICATE stands for every row")
    case .bareExpression:
      return error("bare-expression", "\(found.description) alone is no condition")
        .helping("compare it with something: \(found.text) == YES")
    case .conditionAsValue:
      return error("condition-as-value", "\(found.description) is a condition, not a value")
        .helping("TERNARY(condition, a, b) makes a value of one")
    case .chainedComparison:
      return error("chained-comparison", "a comparison does not go on with \(found.description)")
        .helping("write two, joined with AND: a < b AND b < c")
    case .notBeforeOperator(let word):
      return error("not-before-operator", "NOT does not stand before \(word)")
        .helping("write NOT before the comparison: NOT x \(word) y")
    default:
      return error("list-in-parentheses", "a list does not stand in parentheses")
        .helping("write it in braces: {1, 2, 3}")
    }
  }
}

// MARK: - Words and literals

extension PredicateError {
  private func wordExplanation(_ found: Found) -> Diagnostic {
    switch kind {
    case .reservedWord(let word):
      return error("reserved-word", "'\(found.text)' is a word of the language (\(word))")
        .helping("a property of that name is written #\(found.text)")
    case .strayCharacter(let character):
      let diagnostic = error("stray-character", "'\(character)' has no meaning here")
      return Self.replacements[character].map { diagnostic.helping($0) } ?? diagnostic
    case .missingName(let sign):
      return error("missing-name", "expected a name behind '\(sign)'")
    case .unterminatedString:
      return error("unterminated-string", "the string that begins here does not end")
        .helping("a quote inside a string is written \\\" or \\'")
    case .malformedNumber:
      return error("malformed-number", "'\(found.text)' is neither a number nor a name")
    case .numberOutOfRange:
      return error("number-out-of-range", "\(found.text) does not fit a number")
        .helping("integers have 64 bits; write \(found.text).0 for a floating-point number")
    case .loneSurrogate:
      return error("lone-surrogate", "'\(found.text)' is half of a character")
        .helping("write both halves: \\uD83D\\uDE00")
    default:
      let diagnostic = error("unknown-placeholder", "'\(found.text)' is no placeholder")
      return diagnostic.helping("the remainder of a division is modulus:by:(a, b)")
    }
  }

  /// Characters that people type or paste, and what they meant.
  private static let replacements: [Character: String] = {
    var table: [Character: String] = [
      "≠": "write !=", "≤": "write <=", "≥": "write >=", "×": "write *", "÷": "write /",
      "?": "a variable is written $NAME", "`": "strings stand in ' or \"",
      "\\": "a backslash stands only in strings", "~": "patterns are compared with LIKE or MATCHES",
      ";": "conditions are joined with AND or OR",
    ]
    for quote in "“”„«»‘’‚" { table[quote] = "strings stand in straight quotes, ' or \"" }
    return table
  }()
}

// MARK: - Names

extension PredicateError {
  private var nameExplanation: Diagnostic {
    switch kind {
    case .unknownOption(let letter):
      return error("unknown-option", "there is no option '\(letter)'")
        .helping("options are c (case), d (diacritics), n (normalized) and l (locale)")
    case .unknownFunction(let name):
      let diagnostic = error("unknown-function", "there is no function '\(name)'")
      let names =
        name.contains(":")
        ? BuiltIn.selectors : BuiltIn.selectors.map { String($0.prefix { $0 != ":" }) }
      return diagnostic.didYouMean(name, among: names)
    case .argumentCount(let function, let expected, let found):
      return error(
        "argument-count",
        "'\(function)' takes \(Self.count(expected)), not \(found)")
    case .unknownCollectionOperator(let name):
      return error("unknown-collection-operator", "there is no collection operator '\(name)'")
        .didYouMean(name, among: CollectionOperator.allCases.map(\.rawValue))
    case .unknownCastType(let name):
      let types = CastType.allCases.map(\.rawValue)
      return error("unknown-cast-type", "there is no cast to '\(name)'")
        .didYouMean(name, among: types)
        .helping("types are \(types.joined(separator: ", "))")
    case .unreadableCast(let text, let type):
      return error("unreadable-cast", "'\(text)' is no \(type)")
    default:
      guard case .invalidKeyPath(let path) = kind else { return error("invalid", "invalid name") }
      return error("invalid-key-path", "'\(path)' is no key path")
        .helping("keys are separated by single dots: list.title")
    }
  }

  private static func count(_ range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (0, 0): "no arguments"
    case (1, 1): "one argument"
    case (1, Int.max): "one argument or more"
    default: "\(range.lowerBound) arguments"
    }
  }
}

// MARK: - Limits and arguments

extension PredicateError {
  private var limitExplanation: Diagnostic {
    guard case .unsupported(let part) = kind else {
      return error("nested-too-deeply", "more than \(Parser.maximumDepth) levels of nesting")
        .helping("join long chains with AND, OR or a list: x IN {1, 2, 3}")
    }
    let diagnostic = error("unsupported", Self.message(for: part))
    switch part {
    case .assignment: return diagnostic.helping("pass a variable's value with the request")
    case .customSelector: return diagnostic.helping("functions are written name:(a, b)")
    case .anyKey, .fetch, .utiConformsTo, .utiEquals: return diagnostic
    }
  }

  private static func message(for part: Unsupported) -> String {
    switch part {
    case .anyKey: "ANYKEY has a meaning only for Spotlight, not over a store"
    case .fetch: "FETCH is built only in code; text cannot hold a fetch request"
    case .utiConformsTo, .utiEquals:
      "\(part.rawValue) asks the system's type registry, which a store does not have"
    case .assignment: "variables cannot be assigned in a predicate"
    case .customSelector: "a comparison by a selector of your own needs code to call"
    }
  }

  private func argumentExplanation(_ found: Found) -> Diagnostic {
    switch kind {
    case .placeholderWithoutArguments:
      return error("placeholder", "'\(found.text)' stands for an argument, and there are none")
        .helping("use a variable instead: $NAME")
    case .missingArgument(let index):
      return error("missing-argument", "'\(found.text)' is number \(index), and has no argument")
    case .surplusArguments(let used, let given):
      return error("surplus-arguments", "the text takes \(used) arguments, \(given) were given")
    default:
      guard case .argumentMismatch(let index, let placeholder) = kind else {
        return error("invalid", "invalid argument")
      }
      return error(
        "argument-mismatch", "argument \(index) is no \(Self.noun(placeholder)) for '\(found.text)'"
      )
    }
  }

  private static func noun(_ placeholder: Placeholder) -> String {
    switch placeholder {
    case .object: "value"
    case .keyPath: "key path"
    case .integer: "integer"
    case .double: "number"
    case .string: "string"
    case .character: "character"
    }
  }
}
