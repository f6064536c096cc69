/// A request that the page may send.
struct AllowedCommand {
  /// The first words of the request: `verify --repair`.
  let words: [String]
  let use: PageUse

  static let all = CommandRow.all.flatMap { words, row in
    row.page.map { AllowedCommand(words: words + [$0.with].compactMap(\.self), use: $0) }
  }

  /// The request that words begin with.
  static func named(by words: [String]) -> AllowedCommand? {
    all.first { words.starts(with: $0.words) }
  }

  /// The names of the commands that take `--closest`.
  static var readingClosest: [String] {
    all.filter(\.use.readsClosest).map { $0.words.joined(separator: " ") }
  }
}
