import ArgumentParser
import StoreDiagnostics

/// An option of `migrate` that has become a command of its own. The option works for one more release.
struct FormerMigrateFlag {
  let option: String
  /// What it is now, after `migrate`.
  let command: [String]
  /// Options that had no effect beside it, and that the command does not take.
  let idle: [String]

  private static let all = [
    FormerMigrateFlag(option: "--plan", command: ["plan"], idle: []),
    FormerMigrateFlag(option: "--sql", command: ["script"], idle: settings + ["--format"]),
    FormerMigrateFlag(option: "--status", command: ["status"], idle: settings),
    FormerMigrateFlag(option: "--check", command: ["status", "--check"], idle: settings),
    FormerMigrateFlag(option: "--matrix", command: ["matrix"], idle: []),
    FormerMigrateFlag(
      option: "--new", command: ["new"],
      idle: settings + ["--to", "--via", "--store", "--model-version", "--format"]),
  ]
  private static let settings = ["--allow-loss", "--backup"] + withoutValue
  private static let withoutValue = ["--no-backup", "--no-proof"]

  /// The words of a command line as they are written now, with a warning where that is another way.
  static func translate(_ words: [String]) -> (words: [String], warning: Diagnostic?) {
    // Behind the name of a command all options are its own.
    guard words.first == MigrateCommand.configuration.commandName,
      words.dropFirst().first?.hasPrefix("-") == true,
      let (place, flag) = words.enumerated().lazy.compactMap({ place, word in
        all.first { $0.option == word }.map { (place, $0) }
      }).first
    else { return (words, nil) }
    let rest = flag.withoutIdle(words[1..<place]) + flag.withoutIdle(words[(place + 1)...])
    return (words.prefix(1) + flag.command + rest, flag.warning)
  }

  private func withoutIdle(_ words: ArraySlice<String>) -> [String] {
    var kept: [String] = []
    var rest = words
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map(String.init), idle.contains(name) else {
        kept.append(word)
        continue
      }
      if parts.count == 1, !Self.withoutValue.contains(name) { rest = rest.dropFirst() }
    }
    return kept
  }

  private var warning: Diagnostic {
    let command = "migrate \(self.command.joined(separator: " "))"
    return Diagnostic(
      .warning, "usage.former-option",
      "'migrate \(option)' is now '\(command)'; the old way works in this release for the last time"
    )
  }
}
