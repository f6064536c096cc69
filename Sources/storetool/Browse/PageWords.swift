import StoreDiagnostics
import Synchronization

/// The arguments of a request of the page, checked, and ordered so that values can't be mistaken for options.
struct PageWords: Hashable {
  let command: [String]
  /// The options, each in one argument, without `--dry-run`.
  let options: [String]
  let values: [String]
  let isDryRun: Bool

  /// - Throws: `PageRequestError` for arguments that aren't allowed.
  init(_ words: [String], of allowed: AllowedCommand) throws(PageRequestError) {
    command = allowed.words
    var options: [String] = []
    var values: [String] = []
    var isDryRun = false
    var areOptionsOver = false
    for word in words.dropFirst(allowed.words.count) {
      if areOptionsOver || !word.hasPrefix("-") || word == "-" {
        values.append(word)
      } else if word == "--" {
        areOptionsOver = true
      } else if word == PageUse.dryRun, allowed.use.flags.contains(word) {
        isDryRun = true
      } else if word.split(atFirst: "=").map({ allowed.use.options.contains($0.before) })
        ?? allowed.use.flags.contains(word)
      {
        options.append(word)
      } else {
        throw .option(word)
      }
    }
    guard !words.contains(where: { $0.contains("\0") }) else { throw .zero }
    guard allowed.use.takesValues || values.isEmpty else { throw .value(values[0]) }
    (self.options, self.values, self.isDryRun) = (options, values, isDryRun)
  }

  /// Returns the arguments of the process.
  ///
  /// - Parameter context: The options for the store, the model and the format.
  func line(_ context: [String]) -> [String] {
    command + options + (isDryRun ? [PageUse.dryRun] : []) + context + ["--"] + values
  }

  /// The arguments that must be equal in a dry run and in the write that follows it. The expected number of rows isn't
  /// one of them.
  var written: [String] { command + options.filter { !Self.isExpectation($0) } + ["--"] + values }

  /// Whether the arguments contain the number of rows that may change.
  var hasExpectation: Bool { options.contains(where: Self.isExpectation) }

  private static func isExpectation(_ option: String) -> Bool {
    option.hasPrefix(PageUse.expect + "=")
  }
}

/// The reason why a request of the page is rejected.
enum PageRequestError: Error, Hashable {
  case notJSON
  case store
  case command(String)
  case option(String)
  /// A positional argument for a command that accepts only options.
  case value(String)
  /// An argument contains U+0000, which the arguments of a process can't contain.
  case zero
  /// The server was started without `--write`.
  case readOnly
  case noDryRun
  /// A write without `--expect`.
  case noExpectation

  var sentence: String {
    switch self {
    case .notJSON: "the request isn't a JSON object with 'store', 'words' and 'ticket'"
    case .store: "there is no store with this number"
    case .command(let command): "the page can't run '\(command)'"
    case .option(let option): "the page can't use the option '\(option)'"
    case .value(let value): "unexpected argument '\(value)'"
    case .zero: "an argument can't contain the character U+0000"
    case .readOnly: "the page can't write: start 'storetool browse' with --write"
    case .noExpectation: "--expect must specify the number of rows that the dry run has shown"
    case .noDryRun: "this change requires a dry run with the same arguments first"
    }
  }
}

/// A command that the page may run.
struct AllowedCommand {
  /// The first arguments of the request, such as `verify --repair`.
  let words: [String]
  let use: PageUse

  static let all = CommandRow.all.flatMap { words, row in
    row.page.map { AllowedCommand(words: words + [$0.with].compactMap(\.self), use: $0) }
  }

  /// Returns the command at the beginning of the arguments; nil if the page may not run it.
  static func named(by words: [String]) -> AllowedCommand? {
    all.first { words.starts(with: $0.words) }
  }

  /// The names of the commands that accept `--closest`.
  static var readingClosest: [String] {
    all.filter(\.use.readsClosest).map { $0.words.joined(separator: " ") }
  }
}

/// Tickets for changes whose effects a dry run has shown. The page must send the ticket of the dry run with the write.
/// A ticket is valid for one write.
final class DryRunTickets: Sendable {
  private struct Shown: Equatable {
    let ticket: String
    let store: Int
    let words: [String]
  }

  /// The maximum number of tickets. The oldest are removed first.
  private static let limit = 100
  private let shown = Mutex<[Shown]>([])

  func ticket(for words: PageWords, store: Int) -> String {
    let ticket = RandomToken.text()
    shown.withLock { shown in
      if shown.count == Self.limit { shown.removeFirst() }
      shown.append(Shown(ticket: ticket, store: store, words: words.written))
    }
    return ticket
  }

  /// Redeems a ticket.
  ///
  /// - Returns: Whether it was issued for this store and these arguments, and hasn't been redeemed before.
  func take(_ ticket: String?, for words: PageWords, store: Int) -> Bool {
    shown.withLock { shown in
      guard let ticket,
        let index = shown.firstIndex(of: Shown(ticket: ticket, store: store, words: words.written))
      else { return false }
      shown.remove(at: index)
      return true
    }
  }
}

/// A random token of at least 128 bits, in characters that are valid in a URL.
enum RandomToken {
  static func text() -> String {
    var source = SystemRandomNumberGenerator()
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<22).map { _ in digits[Int.random(in: 0..<64, using: &source)] })
  }
}
