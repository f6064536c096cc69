/// Reads an unfinished predicate token by token, to determine what can follow.
struct PredicateReader {
  enum Wanted: Hashable {
    /// An operand that a comparison can follow.
    case left
    case comparison
    case right
    case conjunction
    /// An operand among the arguments of a function, or the members of a list.
    case argument
    case separator

    fileprivate var afterOperand: Wanted {
      switch self {
      case .left, .comparison: .comparison
      case .right, .conjunction: .conjunction
      case .argument, .separator: .separator
      }
    }

    /// The state after `+`, a comma or a set operator, which continue the same side.
    fileprivate var anotherOperand: Wanted {
      switch self {
      case .left, .comparison: .left
      case .right, .conjunction: .right
      case .argument, .separator: .argument
      }
    }
  }

  /// The meaning of an open parenthesis.
  private enum Opened {
    /// A function's arguments, or a list, which form an operand.
    case operand(at: Wanted)
    /// A condition, or an operand in parentheses, depending on the content.
    case group(at: Wanted)
  }

  private var rest: Substring
  private var wanted = Wanted.left
  private var opened: [Opened] = []
  private(set) var endsInText = false

  init(_ text: some StringProtocol) {
    rest = Substring(text)
  }

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
      // The options of an operator, or the position in a collection: [cd], tags[0].
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

  /// Reads a key path, a keyword, a number, or the whole name of a function: `modulus:by:`.
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
