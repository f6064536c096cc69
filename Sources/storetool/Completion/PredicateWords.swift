import StoreModel

/// What a predicate that is being typed may go on with: key paths, operators, and the words between conditions.
struct PredicateWords {
  /// Replaces as many characters as stand before the caret.
  struct Candidate: Hashable {
    var insert: String
    var length: Int
    var note: String?
  }

  /// What the text asks for next.
  private enum Wanted {
    case left, comparison, right, conjunction
  }

  private let typed: String
  private let wanted: Wanted
  /// In a text, or behind the `$` of a variable, nothing is known.
  private let isOpen: Bool

  /// - Parameter text: up to the caret.
  init(_ text: String) {
    typed = String(
      text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }.reversed())
    var reader = Reader(text.dropLast(typed.count))
    wanted = reader.wanted()
    isOpen = !reader.endsInText && !text.dropLast(typed.count).hasSuffix("$")
  }

  func candidates(from entity: Entity, in model: Model) -> [Candidate] {
    guard isOpen else { return [] }
    switch wanted {
    case .left:
      return paths(from: entity, in: model) + words(["NOT", "ANY", "ALL", "NONE", "TRUEPREDICATE"])
    case .right:
      return paths(from: entity, in: model) + words(["nil", "true", "false", "now()"])
    case .comparison: return words(Self.comparisons)
    case .conjunction: return words(["AND", "OR"])
    }
  }

  private static let comparisons = [
    "==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN", "BEGINSWITH", "BEGINSWITH[cd]", "CONTAINS",
    "CONTAINS[cd]", "ENDSWITH", "ENDSWITH[cd]", "LIKE", "LIKE[cd]", "MATCHES",
  ]

  private func paths(from entity: Entity, in model: Model) -> [Candidate] {
    let last = typed.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return KeyPathCompletion(in: model, for: .predicate).candidates(from: entity, after: typed)
      .filter { $0.word.lowercased().hasPrefix(typed.lowercased()) }
      .map { candidate in
        let start = typed.count - last.count
        return Candidate(
          insert: String(candidate.word.dropFirst(start)), length: last.count, note: candidate.note)
      }
  }

  private func words(_ all: [String]) -> [Candidate] {
    guard !typed.contains(".") else { return [] }
    return all.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
      .map { Candidate(insert: $0, length: typed.count, note: nil) }
  }
}

extension PredicateWords {
  /// Goes through what is typed, one token after the other.
  private struct Reader {
    private var rest: Substring
    private(set) var endsInText = false

    init(_ text: some StringProtocol) {
      rest = Substring(text)
    }

    mutating func wanted() -> Wanted {
      var wanted = Wanted.left
      while let first = rest.first {
        switch first {
        case "\"", "'":
          skipText()
          wanted = Self.afterOperand(wanted)
        case "(":
          rest.removeFirst()
          if wanted == .comparison { wanted = .left }
        case ")", "}":
          rest.removeFirst()
          wanted = .conjunction
        case "=", "<", ">", "!":
          rest.removeFirst()
          wanted = .right
        case "&", "|":
          rest.removeFirst()
          wanted = .left
        case _ where first.isLetter || first.isNumber || "_$@".contains(first):
          wanted = after(word: word(), wanted)
        default: rest.removeFirst()
        }
      }
      return wanted
    }

    private static func afterOperand(_ wanted: Wanted) -> Wanted {
      wanted == .left ? .comparison : .conjunction
    }

    private mutating func word() -> String {
      let word = rest.prefix { $0.isLetter || $0.isNumber || "_.$@".contains($0) }
      rest = rest.dropFirst(word.count)
      return word.uppercased()
    }

    private func after(word: String, _ wanted: Wanted) -> Wanted {
      switch word {
      case "AND", "OR", "NOT": .left
      case "ANY", "ALL", "NONE", "SOME": .left
      case "TRUEPREDICATE", "FALSEPREDICATE": .conjunction
      case "IN", "BETWEEN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES": .right
      // The options of an operator: [cd].
      case "C", "D", "CD", "N": wanted == .right ? .right : Self.afterOperand(wanted)
      default: Self.afterOperand(wanted)
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
}
