import ArgumentParser
import StoreDiagnostics

/// Completions in the format that a shell's script reads, one per line.
struct ShellAnswer {
  /// The word at the cursor.
  let current: ShellWord
  let shell: CompletionShell?

  /// Returns the lines for the candidates that begin with the typed text. Candidates with control characters are
  /// skipped, because users can't type them.
  func lines(_ candidates: [CompletionCandidate]) -> [String] {
    var seen: Set<String> = []
    var fitting = candidates.filter { candidate in
      candidate.word.hasPrefix(current.text) && seen.insert(candidate.word).inserted
        && !candidate.word.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    // After a single candidate, a shell closes the quotation. A second candidate is added, so that the shell only
    // inserts the common prefix and the user can continue.
    if fitting.count == 1, fitting[0].mayGoOn, current.openQuote != nil {
      fitting.append(CompletionCandidate(fitting[0].word + " "))
    }
    switch shell {
    case .bash: return bash(fitting)
    case .zsh:
      return fitting.map { candidate in
        let word = ShellWord.escaped(candidate.word) { ":\\".contains($0) }
        return candidate.note.map { "\(word):\($0)" } ?? word
      }
    case .fish:
      return fitting.map { candidate in
        candidate.note.map { "\(candidate.word)\t\($0)" } ?? candidate.word
      }
    default: return fitting.map(\.word)
    }
  }

  /// Returns the replacements for the part of the word that readline replaces. readline splits words at '=' and ':',
  /// and keeps the opening quote.
  private func bash(_ candidates: [CompletionCandidate]) -> [String] {
    let typed = Workspace.environment(ShellWord.variable) ?? ""
    return candidates.compactMap { candidate in
      current.quoted(String(candidate.word.dropFirst(current.text.count))).map { typed + $0 }
    }
  }
}

/// A word that a shell can suggest.
struct CompletionCandidate: Hashable {
  var word: String
  /// The description, which zsh and fish display.
  var note: String?
  /// Whether the user probably continues the word, such as a predicate after a key path.
  var mayGoOn: Bool

  init(_ word: String, _ note: String? = nil, mayGoOn: Bool = false) {
    self.word = word
    self.note = note
    self.mayGoOn = mayGoOn
  }
}

/// A word of an unfinished command line, which may contain quotes and backslashes.
struct ShellWord {
  /// The environment variable in which the scripts pass the typed part of the word at the cursor.
  static let variable = "STORETOOL_TYPED"

  /// The text that the command would receive.
  private(set) var text = ""
  /// The quotation mark that isn't closed at the end of the word; nil if there is none.
  private(set) var openQuote: Character?

  /// - Parameter isRaw: False if the shell has already removed the quotes.
  init(_ typed: String, isRaw: Bool = true) {
    guard isRaw else {
      // If the cursor is between spaces, the shell passes an empty word as two quotation marks.
      text = typed == "''" ? "" : typed
      return
    }
    var rest = typed[...]
    while let character = rest.popFirst() {
      switch (character, openQuote) {
      case ("\\", nil), ("\\", "\""):
        // A backslash at the end doesn't escape anything yet.
        guard let next = rest.popFirst() else { return }
        text += openQuote == nil || "\"\\$`".contains(next) ? "\(next)" : "\\\(next)"
      case ("'", nil), ("\"", nil): openQuote = character
      case (openQuote, _): openQuote = nil
      default: text.append(character)
      }
    }
    if typed.hasPrefix("~/"), let home = Workspace.environment("HOME") {
      text = home + text.dropFirst()
    }
  }

  /// The value in `--option=value`.
  var value: ShellWord {
    var value = self
    value.text = String(text.drop { $0 != "=" }.dropFirst())
    return value
  }

  /// Returns `rest` in a form in which it can follow the typed word, so that a shell reads every character of it
  /// literally; nil if this isn't possible.
  func quoted(_ rest: String) -> String? {
    switch openQuote {
    case "'": rest.contains("'") ? nil : rest
    case "\"": Self.escaped(rest) { "\"\\$`".contains($0) }
    default: Self.escaped(rest) { !$0.isLetter && !$0.isNumber && !"_-+=.,/:@%".contains($0) }
    }
  }

  fileprivate static func escaped(_ text: String, where isSpecial: (Character) -> Bool) -> String {
    String(text.flatMap { isSpecial($0) ? ["\\", $0] : [$0] })
  }
}
