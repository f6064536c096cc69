import StoreModel
import StorePredicate

/// What a predicate that is being typed may go on with: key paths, functions, operators, and the words between conditions.
struct PredicateWords {
  /// Replaces as many characters as stand before the caret.
  struct Candidate: Hashable, Encodable {
    var insert: String
    var length: Int
    var note: String?
  }

  private let typed: String
  private let wanted: PredicateReader.Wanted
  /// In a text, or behind the `$` of a variable, nothing is known.
  private let isOpen: Bool

  /// - Parameter text: up to the caret.
  init(_ text: String) {
    typed = String(
      text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }.reversed())
    var reader = PredicateReader(text.dropLast(typed.count))
    wanted = reader.read()
    isOpen = !reader.endsInText && !text.dropLast(typed.count).hasSuffix("$")
  }

  func candidates(from entity: Entity, in model: Model) -> [Candidate] {
    guard isOpen else { return [] }
    switch wanted {
    case .left:
      return paths(from: entity, in: model)
        + words(["NOT", "ANY", "ALL", "NONE", "TRUEPREDICATE"] + Self.functions)
    case .right, .argument:
      return paths(from: entity, in: model) + words(["nil", "true", "false"] + Self.functions)
    case .comparison: return words(Self.comparisons)
    case .conjunction: return words(["AND", "OR"])
    case .separator: return []
    }
  }

  private static let comparisons = [
    "==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN", "BEGINSWITH", "BEGINSWITH[cd]", "CONTAINS",
    "CONTAINS[cd]", "ENDSWITH", "ENDSWITH[cd]", "LIKE", "LIKE[cd]", "MATCHES",
  ]

  /// Written as far as the first argument: `length:(`. Of the two spellings this is the one that predicates print.
  private static let functions =
    ["SUBQUERY(", "CAST(", "TERNARY("]
    + Function.allCases.map { $0.rawValue.hasSuffix(":") ? "\($0.rawValue)(" : "\($0.rawValue)()" }

  private func paths(from entity: Entity, in model: Model) -> [Candidate] {
    let last = typed.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return KeyPathCompletion(model: model, purpose: .predicate).candidates(
      from: entity, after: typed
    )
    .map { candidate in
      Candidate(
        insert: String(candidate.word.dropFirst(typed.count - last.count)), length: last.count,
        note: candidate.note)
    }
    .filter { candidate in
      // Nobody begins with the mark that a word of the language needs as a name.
      [candidate.insert, candidate.insert.replacing("#", with: "", maxReplacements: 1)]
        .contains { $0.lowercased().hasPrefix(last.lowercased()) }
    }
  }

  private func words(_ all: [String]) -> [Candidate] {
    guard !typed.contains(".") else { return [] }
    return all.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
      .map { Candidate(insert: $0, length: typed.count, note: nil) }
  }
}
