/// Reads an unfinished predicate token by token, to determine what can follow.
struct PredicateReader {
  /// The kind of token that can follow.
  enum Wanted: Hashable {
    /// The left operand of a comparison.
    case left
    /// A comparison operator.
    case comparison
    /// The right operand of a comparison.
    case right
    /// AND or OR.
    case conjunction
    /// An argument of a function, or a member of a list.
    case argument
    /// A comma, a closing parenthesis or a closing brace.
    case separator

    /// The kind of token that follows an operand, if this kind was expected before the operand.
    fileprivate var afterOperand: Wanted {
      switch self {
      case .left, .comparison: .comparison
      case .right, .conjunction: .conjunction
      case .argument, .separator: .separator
      }
    }

    /// The kind of token after `+`, a comma or a set operator: another operand on the same side of the comparison.
    fileprivate var anotherOperand: Wanted {
      switch self {
      case .left, .comparison: .left
      case .right, .conjunction: .right
      case .argument, .separator: .argument
      }
    }
  }

  /// An open parenthesis or brace, with the kind of token that was expected where it begins.
  private enum Opened {
    /// It contains a function's arguments or a list. The closing parenthesis or brace is the end of an operand.
    case operand(at: Wanted)
    /// It contains a condition or an operand. Which of them is only known at the closing parenthesis.
    case group(at: Wanted)
  }

  private var rest: Substring
  private var wanted = Wanted.left
  private var opened: [Opened] = []
  /// Whether the predicate ends inside a string.
  private(set) var endsInText = false

  init(_ text: some StringProtocol) {
    rest = Substring(text)
  }

  /// Returns the kind of token that can follow the text.
  mutating func read() -> Wanted {
    while let first = rest.first {
      switch first {
      case "\"", "'":
        skipText()
        wanted = wanted.afterOperand
      case _ where first.isLetter || first.isNumber || "_$@#".contains(first):
        read(word: word())
      default:
        rest.removeFirst()
        read(symbol: first)
      }
    }
    return wanted
  }

  private mutating func read(symbol: Character) {
    switch symbol {
    case "(": open(.group(at: wanted), wanted == .left ? .left : .argument)
    case "{": open(.operand(at: wanted), .argument)
    case ")", "}": close()
    case "[":
      // The options of an operator, as in ==[cd], or a position in a collection, as in tags[0], are skipped.
      rest = rest.drop { $0 != "]" }.dropFirst()
    case ".": _ = word()
    case "<" where rest.first == "<", ">" where rest.first == ">":
      rest.removeFirst()
      wanted = wanted.anotherOperand
    case "!" where rest.first != "=": wanted = .left
    case "=", "<", ">", "!": wanted = .right
    case "&" where rest.first == "&", "|" where rest.first == "|":
      rest.removeFirst()
      wanted = .left
    case "+", "-", "*", "/", "&", "|", "^", ",": wanted = wanted.anotherOperand
    default: break
    }
  }

  private mutating func open(_ what: Opened, _ first: Wanted) {
    opened.append(what)
    wanted = first
  }

  private mutating func close() {
    switch opened.popLast() {
    case .operand(let before)?: wanted = before.afterOperand
    case .group(let before)?:
      let isOperand = wanted == .comparison || wanted == .separator
      wanted = isOperand ? before.afterOperand : .conjunction
    case nil: wanted = .conjunction
    }
  }

  /// Reads a key path, a keyword, a number, or the whole name of a function such as `modulus:by:`, and returns it in
  /// uppercase.
  private mutating func word() -> String {
    let word = rest.prefix { $0.isLetter || $0.isNumber || "_.$@#:".contains($0) }
    rest = rest.dropFirst(word.count)
    return word.uppercased()
  }

  private mutating func read(word: String) {
    switch word {
    case "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME": wanted = .left
    case "TRUEPREDICATE", "FALSEPREDICATE": wanted = .conjunction
    case "IN", "BETWEEN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES": wanted = .right
    case "UNION", "INTERSECT", "MINUS": wanted = wanted.anotherOperand
    case _ where rest.first == "(":
      rest.removeFirst()
      open(.operand(at: wanted), ["TERNARY", "SUBQUERY"].contains(word) ? .left : .argument)
    default: wanted = wanted.afterOperand
    }
  }

  private mutating func skipText() {
    let quote = rest.removeFirst()
    while let character = rest.popFirst() {
      if character == "\\" {
        rest = rest.dropFirst()
      } else if character == quote {
        return
      }
    }
    endsInText = true
  }
}
