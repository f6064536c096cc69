import StoreDiagnostics
import StoreMigration
import StoreModelReader

/// The accepted causes of failed migrations. They are in a text file for review and version control, with one line for
/// each cause and pair of versions. Tabs (⇥) separate the parts of a line.
///
///     # Accepted failures of 'storetool migrate matrix': code, model, pair, cause.
///     migrate.missing-value ⇥ Todo ⇥ Todo--Todo 2 ⇥ 'Item.note' is required and …
struct MatrixBaseline {
  struct Entry: Hashable {
    let code: String
    let model: String
    let pair: String
    let cause: String

    init(_ problem: PairIssue, of outcome: MigrationMatrix.Result) {
      (code, model, pair) = (problem.code, outcome.model, outcome.pair.text)
      cause = ControlCharacters.escaped(in: problem.causeText)
    }

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count == 4 else { return nil }
      (code, model) = (String(fields[0]), String(fields[1]))
      (pair, cause) = (String(fields[2]), String(fields[3]))
    }

    var line: String { [code, model, pair, cause].joined(separator: "\t") }
  }

  let path: LocalPath
  private(set) var entries: Set<Entry> = []

  /// - Throws: `DiagnosticError` if the file can't be read, or with all errors in it.
  init(path: LocalPath) throws {
    self.path = path
    let bytes: [UInt8]
    do {
      bytes = try path.contents()
    } catch {
      throw error.isMissing
        ? DiagnosticError(
          "baseline.none", "the baseline '\(path)' doesn't exist", cause: .notFound,
          help: ["--write-baseline creates it from the current failures"])
        : DiagnosticError(
          "baseline.unreadable", "'\(path)' can't be read: \(error.reason)", cause: .inputOutput)
    }
    var mistakes: [DiagnosticMessage] = []
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      guard let entry = Entry(line) else {
        mistakes.append(
          Self.mistake(line, at: SourcePlace(file: "\(path)", line: index + 1, column: 1)))
        continue
      }
      entries.insert(entry)
    }
    guard mistakes.isEmpty else { throw DiagnosticError(mistakes) }
  }

  /// Creates a baseline without entries for a new file.
  init(new path: LocalPath) {
    self.path = path
  }

  private static func mistake(_ line: Substring, at place: SourcePlace) -> DiagnosticMessage {
    DiagnosticMessage(
      .error, "baseline.malformed",
      "a line of a baseline consists of a code, a model, a pair of versions and a cause, separated by tabs",
      at: place, excerpt: .init(text: String(line), range: 0..<line.utf8.count))
  }

  func covers(_ problem: PairIssue, of outcome: MigrationMatrix.Result) -> Bool {
    entries.contains(Entry(problem, of: outcome))
  }

  /// Replaces the lines of the tested pairs by `problems`, and keeps the lines of other pairs.
  mutating func replace(
    _ problems: [Entry], whereTried isTried: (_ model: String, _ pair: String) -> Bool
  ) {
    entries = entries.filter { !isTried($0.model, $0.pair) }
    entries.formUnion(problems)
  }

  /// Replaces the file atomically.
  ///
  /// - Throws: `DiagnosticError` if the file can't be written.
  func write() throws {
    let lines = entries.map(\.line).sorted()
    let text = """
      # Accepted failures of 'storetool migrate matrix': code, model, pair, cause.
      \(lines.map { "\($0)\n" }.joined())
      """
    do throws(FileWriteError) {
      try StagedFile.replace(path, with: Array(text.utf8))
    } catch {
      throw DiagnosticError(
        "baseline.unwritable", "'\(path)' can't be written: \(error.reason)", cause: .inputOutput)
    }
  }
}
