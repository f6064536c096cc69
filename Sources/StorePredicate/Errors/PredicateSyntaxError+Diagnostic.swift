public import StoreDiagnostics

extension PredicateSyntaxError {
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
      let place = found.isEmpty ? "the end of the text" : "'\(found)'"
      return ("unexpected", "expected \(expectation.words), found \(place)")
    case .emptyText: return ("empty", "there is no text to read")
    case .bareExpression: return ("bare-expression", "'\(found)' alone is not a condition")
    case .conditionAsValue:
      return ("condition-as-value", "'\(found)' is a condition, not a value")
    case .reservedWord(let word):
      return ("reserved-word", "'\(found)' is a word of the language (\(word))")
    case .strayCharacter(let character):
      return ("stray-character", "'\(character)' has no meaning here")
    case .missingName(let sign): return ("missing-name", "expected a name behind '\(sign)'")
    case .unterminatedString:
      return ("unterminated-string", "the string that begins here does not end")
    case .malformedNumber:
      return ("malformed-number", "'\(found)' is neither a number nor a name")
    case .numberOutOfRange: return ("number-out-of-range", "\(found) does not fit a number")
    case .loneSurrogate: return ("lone-surrogate", "'\(found)' is half of a character")
    case .chainedComparison:
      return ("chained-comparison", "a comparison does not continue with '\(found)'")
    case .notBeforeOperator(let word):
      return ("not-before-operator", "NOT does not stand before \(word)")
    case .listInParentheses: return ("list-in-parentheses", "a list does not stand in parentheses")
    case .unknownOption(let letter): return ("unknown-option", "there is no option '\(letter)'")
    case .unknownFunction(let name): return ("unknown-function", "there is no function '\(name)'")
    case .argumentCount(let function, let expected, let count):
      return ("argument-count", "'\(function)' takes \(Self.words(expected)), not \(count)")
    case .unknownCollectionOperator(let name):
      return ("unknown-collection-operator", "there is no collection operator '\(name)'")
    case .unknownCastType(let name):
      return ("unknown-cast-type", "there is no cast to '\(name)'")
    case .unreadableCast(let text, let type):
      return ("unreadable-cast", "'\(text)' is not \(type.withArticle)")
    case .invalidKeyPath(let path): return ("invalid-key-path", "'\(path)' is not a key path")
    case .nestedTooDeeply(let limit):
      return ("nested-too-deeply", "more than \(limit) levels of nesting")
    case .unsupported(let part): return ("unsupported", part.reason)
    case .unknownPlaceholder: return ("unknown-placeholder", "'\(found)' is not a placeholder")
    case .placeholderWithoutArguments:
      return ("placeholder", "'\(found)' stands for an argument, and there are none")
    case .missingArgument(let index):
      return ("missing-argument", "placeholder \(index), '\(found)', has no argument")
    case .surplusArguments(let used, let given):
      return ("surplus-arguments", "\(given) arguments were given for \(used) placeholders")
    case .argumentMismatch(let index, let placeholder):
      return (
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
