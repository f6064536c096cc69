import StoreModel
import StorePredicate

/// The completions of an unfinished predicate on the page of `browse`: key paths, functions, operators, and the
/// keywords before and between conditions.
struct PredicateWords {
  /// A completion, which replaces the last characters before the caret.
  struct Candidate: Hashable, Encodable {
    var insert: String
    /// The number of characters that are replaced.
    var length: Int
    var note: String?
  }

  /// The typed part of the last word.
  private let typed: String
  private let wanted: PredicateReader.Wanted
  /// Whether completions are possible. They aren't inside a string or after the `$` of a variable.
  private let isOpen: Bool

  /// - Parameter text: The predicate up to the caret.
  init(_ text: String) {
    typed = Self.path(atEndOf: text)
    var reader = PredicateReader(text.dropLast(typed.count))
    wanted = reader.read()
    isOpen = !reader.endsInText && !text.dropLast(typed.count).hasSuffix("$")
  }

  /// Returns the last characters of a text that can be part of a key path.
  static func path(atEndOf text: String) -> String {
    String(text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }.reversed())
  }

  func candidates(from entity: EntityDescription, in model: DataModel) -> [Candidate] {
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

  /// Functions up to their first argument, such as `length:(`, and complete functions without arguments.
  private static let functions =
    ["SUBQUERY(", "CAST(", "TERNARY("]
    + FormatFunction.allCases.map {
      $0.rawValue.hasSuffix(":") ? "\($0.rawValue)(" : "\($0.rawValue)()"
    }

  private func paths(from entity: EntityDescription, in model: DataModel) -> [Candidate] {
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
      // A name that is a keyword is escaped with `#`, which the user may omit.
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
