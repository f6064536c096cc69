import StoreDiagnostics
import ArgumentParser
import RecordFormats

/// The command that is run for each store.
struct FleetWork {
  /// What a second run for the same store would mean.
  enum Repetition {
    /// Nothing is changed.
    case reads
    /// The store is as after the first one.
    case repeatable
    /// Values would be set twice, rows be there twice.
    case once
  }

  /// What the workers write, and what becomes of it.
  enum Output: Hashable {
    /// Rows, written by workers in one format and put out in another.
    case rows(by: RowFormat, as: RowFormat)
    /// Lines for people.
    case lines
    /// The facts of `info`, summed up by version.
    case census
  }

  /// As the user wrote them, behind `--`.
  let words: [String]
  /// Without the options that say how rows are written.
  let plainWords: [String]
  let repetition: Repetition
  let output: Output
  /// How the user wants rows.
  let format: RowFormat
  let style: RowStyle
  /// Whether errors are told in JSON.
  let reportsJSON: Bool
  let countsRows: Bool

  /// - Parameters:
  ///   - words: what stands behind `--`.
  ///   - listsStores: whether `info` gives a row for each store instead of a census.
  /// - Throws: `FleetError`; for a slip within the command what the command itself would throw.
  init(_ words: [String], listsStores: Bool) throws {
    self.words = words
    let (name, command) = try Self.command(of: words)
    let options = try CommandOptions(of: command)
    let choice = FormatChoice(words)
    plainWords = choice.rest
    style = .ofStandardOutput(isFull: choice.isFull, hasHeader: !choice.hasNoHeader)
    reportsJSON = choice.format == "json" || choice.format == "ndjson"
    countsRows = plainWords.contains("--count")
    format = choice.format.flatMap(RowFormat.init) ?? .standard
    repetition = Self.repetition(of: name, plainWords)
    output = Self.output(
      of: name, choice, as: format,
      hasRows: options.takes("--format"), isCounted: countsRows, listsStores: listsStores)
    try check(options, name)
  }

  /// A value stands for a store, to check the words once for all.
  private func check(_ options: CommandOptions, _ name: String) throws {
    if words.contains("--watch") { throw FleetError.keepsRunning("--watch") }
    if words.contains("-") { throw FleetError.readsInput }
    let given = options.given(in: plainWords.dropFirst(name.split(separator: " ").count))
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

  /// What workers say behind `--format`.
  var workerFormat: String? {
    switch output {
    case .rows(let format, _): format.rawValue
    case .census: RowFormat.ndjson.rawValue
    case .lines: FormatChoice(words).format
    }
  }

  private static func output(
    of name: String, _ choice: FormatChoice, as format: RowFormat, hasRows: Bool, isCounted: Bool,
    listsStores: Bool
  ) -> Output {
    if name == "info" { return listsStores ? .rows(by: .ndjson, as: format) : .census }
    let isOwnFormat = choice.format.map { RowFormat(rawValue: $0) == nil } ?? false
    let isText = isOwnFormat || choice.format == nil && writesText.contains(name)
    guard hasRows, !isText else { return .lines }
    let isDelimited = format == .csv || format == .tsv
    return .rows(by: isDelimited && !isCounted ? format : .ndjson, as: format)
  }

  /// Commands that write for people unless a format is asked for.
  private static let writesText: Set = ["verify", "compact", "anonymize", "seed"]
}

extension FleetWork {
  private static let reading: Set = [
    "info", "fetch", "apply-template", "templates", "show", "explain", "export", "history",
    "verify", "diff", "migrate plan", "migrate status", "migrate script",
  ]
  private static let repeatable: Set = ["migrate", "migrate run", "compact"]
  private static let once: Set = [
    "insert", "batch-insert", "batch-update", "batch-delete", "link", "unlink", "seed", "import",
    "anonymize",
  ]

  private static func repetition(of name: String, _ words: [String]) -> Repetition {
    if name == "verify", words.contains("--repair") { return .repeatable }
    return once.contains(name) ? .once : repeatable.contains(name) ? .repeatable : .reads
  }

  /// The command that the words spell out, and its name.
  private static func command(
    of words: [String]
  ) throws -> (name: String, command: any ParsableCommand.Type) {
    guard let first = words.first else { throw FleetError.noCommand(meant: nil) }
    guard !words.contains("--") else { throw FleetError.secondSeparator }
    let known = reading.union(repeatable).union(once)
    let rest = Storetool.spelled(by: words[...]).rest
    var name = words[..<rest.startIndex].joined(separator: " ")
    if name.hasPrefix("explain ") { name = "explain" }
    guard known.contains(name) else {
      guard rest.startIndex == 0 else { throw FleetError.noStoreCommand(name) }
      throw FleetError.wrongCommand(first, known: known.sorted())
    }
    return (name, Storetool.named(by: words[...]).command)
  }
}

/// What a command's words say of how its result is written.
private struct FormatChoice {
  var format: String?
  var isFull = false
  var hasNoHeader = false
  /// The other words.
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
