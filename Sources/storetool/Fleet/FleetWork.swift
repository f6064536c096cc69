import StoreDiagnostics
import ArgumentParser
import RecordFormats

/// The command that `each` runs for each store.
struct FleetWork {
  /// The output of the workers, and how it is processed.
  enum Output: Hashable {
    /// Rows. Workers write them in the first format, and `each` prints them in the second.
    case rows(by: RowFormat, as: RowFormat)
    case lines
    /// The results of `info`, summarized by version.
    case census
  }

  /// The arguments after `--`, as the user wrote them.
  let words: [String]
  /// The arguments without `--format`, `--full` and `--no-header`.
  let plainWords: [String]
  let repetition: StoreUse.Repetition
  let output: Output
  /// The requested format of rows, or the default.
  let format: RowFormat
  let style: RowStyle
  let reportsJSON: Bool
  let countsRows: Bool

  /// - Parameters:
  ///   - words: The arguments after `--`.
  ///   - listsStores: Whether `info` prints a row for each store instead of a census.
  /// - Throws: `FleetError`, or for invalid arguments of the command, its own error.
  init(_ words: [String], listsStores: Bool) throws {
    self.words = words
    let (use, count) = try Self.command(of: words)
    let options = try CommandOptions(of: CommandRow.named(by: words[...]).command)
    let choice = FormatChoice(words)
    plainWords = choice.rest
    style = .ofStandardOutput(isFull: choice.isFull, hasHeader: !choice.hasNoHeader)
    reportsJSON = choice.format == "json" || choice.format == "ndjson"
    countsRows = plainWords.contains("--count")
    format = choice.format.flatMap(RowFormat.init) ?? .standard
    repetition = use.repetition(with: plainWords)
    output = Self.output(
      of: use, choice, as: format,
      hasRows: options.takes("--format"), isCounted: countsRows, listsStores: listsStores)
    try check(options, behind: count)
  }

  /// Checks the arguments once for all stores, with a sample value as the store.
  ///
  /// - Parameter count: The number of arguments that form the name of the command.
  private func check(_ options: CommandOptions, behind count: Int) throws {
    if words.contains("--watch") { throw FleetError.keepsRunning("--watch") }
    if words.contains("-") { throw FleetError.readsInput }
    let given = options.given(in: plainWords.dropFirst(count))
    if let store = given.first(where: { ["--store", "store"].contains($0.name) }) {
      throw FleetError.namesStore(store.value)
    }
    let words = try StoreWords(plainWords, rows: workerFormat).arguments(for: "store")
    do {
      try RepeatedOption.check(words[...])
      try UnquotedPredicate.check(words[...])
      _ = try Storetool.command(of: words[...])
    } catch {
      throw ParsingError(error: error, words: words)
    }
  }

  /// The `--format` with which workers run the command; nil if the option isn't passed.
  var workerFormat: String? {
    switch output {
    case .rows(let format, _): format.rawValue
    case .census: RowFormat.ndjson.rawValue
    case .lines: FormatChoice(words).format
    }
  }

  private static func output(
    of use: StoreUse, _ choice: FormatChoice, as format: RowFormat, hasRows: Bool, isCounted: Bool,
    listsStores: Bool
  ) -> Output {
    if use.output == .census { return listsStores ? .rows(by: .ndjson, as: format) : .census }
    let isOwnFormat = choice.format.map { RowFormat(rawValue: $0) == nil } ?? false
    let isText = isOwnFormat || choice.format == nil && use.output == .text
    guard hasRows, !isText else { return .lines }
    let isDelimited = format == .csv || format == .tsv
    return .rows(by: isDelimited && !isCounted ? format : .ndjson, as: format)
  }

  /// Returns how the command runs on a store, and the number of arguments that form the name of the command.
  private static func command(of words: [String]) throws(FleetError) -> (use: StoreUse, count: Int)
  {
    guard let first = words.first else { throw .noCommand(meant: nil) }
    guard !words.contains("--") else { throw .secondSeparator }
    let (row, rest) = CommandRow.spelled(by: words[...])
    let count = rest.startIndex
    guard let use = row.each else {
      guard count == 0 else { throw .noStoreCommand(words[..<count].joined(separator: " ")) }
      let known = CommandRow.all.filter { $0.row.each != nil }
        .map { $0.words.joined(separator: " ") }
      throw .wrongCommand(first, known: known.sorted())
    }
    if row.type == DiffCommand.self, !words.contains(where: { $0.hasPrefix("--since") }) {
      throw .comparesStores
    }
    return (use, count)
  }
}

/// The options for the format in the arguments of a command.
private struct FormatChoice {
  var format: String?
  var isFull = false
  var hasNoHeader = false
  var rest: [String] = []

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--format" where !words.isEmpty: format = words.popFirst()
      case "--full": isFull = true
      case "--no-header": hasNoHeader = true
      case _ where word.hasPrefix("--format="): format = String(word.dropFirst(9))
      default: rest.append(word)
      }
    }
  }
}
