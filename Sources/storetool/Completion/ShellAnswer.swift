import ArgumentParser
import StoreDiagnostics

/// Candidates as the script of a shell takes them, one a line.
struct ShellAnswer {
  private let current: ShellWord
  private let shell: CompletionShell?

  init(to shell: CompletionShell?, for current: ShellWord) {
    self.shell = shell
    self.current = current
  }

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
