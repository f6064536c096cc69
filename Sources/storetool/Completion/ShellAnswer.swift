import ArgumentParser
import StoreDiagnostics

/// Candidates as the script of a shell takes them, one a line.
struct ShellAnswer {
  let current: ShellWord
  let shell: CompletionShell?

  /// A name with a control character is none that anybody types.
  func lines(_ candidates: [CompletionCandidate]) -> [String] {
    var seen: Set<String> = []
    var fitting = candidates.filter { candidate in
      candidate.word.hasPrefix(current.text) && seen.insert(candidate.word).inserted
        && !candidate.word.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    // Of one candidate a shell closes the quote; of two it takes what they begin with.
    if fitting.count == 1, fitting[0].mayGoOn, current.openQuote != nil {
      fitting.append(CompletionCandidate(fitting[0].word + " "))
    }
    switch shell {
    case .bash: return bash(fitting)
    case .zsh:
      return fitting.map { candidate in
        let word = Self.escaped(candidate.word)
        return candidate.note.map { "\(word):\($0)" } ?? word
      }
    case .fish:
      return fitting.map { candidate in
        candidate.note.map { "\(candidate.word)\t\($0)" } ?? candidate.word
      }
    default: return fitting.map(\.word)
    }
  }

  /// What takes the place of the part of the word that readline replaces: it breaks words at '=' and ':', and keeps
  /// the opening quote.
  private func bash(_ candidates: [CompletionCandidate]) -> [String] {
    let typed = Workspace.environment(ShellWord.variable) ?? ""
    return candidates.compactMap { candidate in
      current.quoted(String(candidate.word.dropFirst(current.text.count))).map { typed + $0 }
    }
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { $0 == ":" || $0 == "\\" ? ["\\", $0] : [$0] })
  }
}

/// A word that a shell may offer.
struct CompletionCandidate: Hashable {
  var word: String
  /// What is shown beside it, where a shell does that.
  var note: String?
  /// Whether the word is hardly all that is meant, as a key path is of a predicate.
  var mayGoOn: Bool

  init(_ word: String, _ note: String? = nil, mayGoOn: Bool = false) {
    self.word = word
    self.note = note
    self.mayGoOn = mayGoOn
  }
}

/// A word as it stands on a command line that is being written, quotes and backslashes included.
struct ShellWord {
  /// By which our scripts hand over the part at the cursor that the shell replaces, as it is typed.
  static let variable = "STORETOOL_TYPED"

  /// What the command would be given.
  private(set) var text = ""
  /// The quotation mark that is open at its end.
  private(set) var openQuote: Character?

  /// - Parameter isRaw: false where the shell has taken the quotes away already.
  init(_ typed: String, isRaw: Bool = true) {
    guard isRaw else {
      // The one word that is always quoted, where the cursor stands between blanks.
      text = typed == "''" ? "" : typed
      return
    }
    var rest = typed[...]
    while let character = rest.popFirst() {
      switch (character, openQuote) {
      case ("\\", nil), ("\\", "\""):
        // At the end it stands for nothing yet.
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

  /// Text that may follow the word, so that a shell takes every character for itself; nil where no quoting does.
  func quoted(_ rest: String) -> String? {
    switch openQuote {
    case "'": rest.contains("'") ? nil : rest
    case "\"": Self.escaped(rest) { "\"\\$`".contains($0) }
    default: Self.escaped(rest) { !$0.isLetter && !$0.isNumber && !"_-+=.,/:@%".contains($0) }
    }
  }

  private static func escaped(_ text: String, where isSpecial: (Character) -> Bool) -> String {
    String(text.flatMap { isSpecial($0) ? ["\\", $0] : [$0] })
  }
}
