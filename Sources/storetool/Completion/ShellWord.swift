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
