import StoreDiagnostics
import StoreCore
import StorePredicate

/// The arguments of a command that runs for many stores. Placeholders in them are replaced by parts of a store's path.
///
/// The name of a file must not change the meaning of the command. In a predicate, a placeholder is therefore a string,
/// and a value that begins with `-` can't become an option.
struct StoreWords {
  private let words: [Word]
  /// The value for `--format`; nil if the option isn't passed.
  private let rows: String?

  private enum Word {
    /// An argument without placeholders.
    case fixed(String)
    /// An argument with placeholders that is neither a predicate nor an assignment.
    case plain(String)
    /// Text of the predicate language. `after` is the text before it, such as `--where=` or `NAME:=`, or empty.
    case predicate(String, after: String)
    /// The literal of an assignment. `after` is the text before it, such as `NAME=`.
    case literal(String, after: String)
  }

  /// - Throws: `FleetError.placeholderInOption`, or an error if the options of the command can't be determined.
  init(_ words: [String], rows: String?) throws {
    self.rows = rows
    guard words.contains(where: StorePlaceholder.isIn) else {
      self.words = words.map(Word.fixed)
      return
    }
    let (command, rest) = CommandRow.named(by: words[...])
    var given: [Int: CommandOptions.Given] = [:]
    for value in try CommandOptions(of: command).given(in: rest) {
      if let word = value.word { given[word] = value }
    }
    self.words = try words.enumerated().map { index, word in
      try Self.word(word, given[index])
    }
  }

  /// The options and arguments that contain predicates, key paths or expressions, by their names in the help.
  private static let predicates: Set = [
    "--where", "--having", "--sort", "--select", "--group-by", "--sections", "predicate",
    "destination-predicate",
  ]
  private static let assignments: Set = ["key=value", "VAR=value"]

  private static func word(_ word: String, _ given: CommandOptions.Given?) throws -> Word {
    guard StorePlaceholder.isIn(word) else { return .fixed(word) }
    guard let given else {
      guard !word.beginsOption else { throw FleetError.placeholderInOption(word) }
      return .plain(word)
    }
    if predicates.contains(given.name) {
      let start = word.utf8.dropLast(given.value.utf8.count)
      return .predicate(given.value, after: String(decoding: Array(start), as: UTF8.self))
    }
    if assignments.contains(given.name), let (name, value) = word.split(atFirst: "=") {
      let start = "\(name)="
      return name.hasSuffix(":") ? .predicate(value, after: start) : .literal(value, after: start)
    }
    return .plain(word)
  }

  /// Returns the arguments of the command for a store.
  ///
  /// - Throws: `FleetError.placeholderAsOption`, or `FleetError.placeholderInDescription`.
  func arguments(for store: LocalPath) throws(FleetError) -> [String] {
    let bindings = StorePlaceholder.bindings(for: store)
    var arguments: [String] = []
    for word in words { arguments.append(try Self.argument(word, bindings)) }
    return arguments + ["--store=\(store.argument)"] + (rows.map { ["--format", $0] } ?? [])
  }

  /// Whether the arguments are the same for all stores.
  var areFixed: Bool {
    words.allSatisfy { if case .fixed = $0 { true } else { false } }
  }

  private static func argument(
    _ word: Word, _ bindings: TextBindings
  ) throws(FleetError) -> String {
    switch word {
    case .fixed(let text): return text
    case .predicate(let text, let start): return start + bindings.bound(inPredicate: text)
    case .plain(let text):
      let filled = bindings.filled(text)
      guard text.beginsOption || !filled.beginsOption else {
        throw .placeholderAsOption(text, value: filled)
      }
      return filled
    case .literal(let text, let start):
      let (start, filled) = (bindings.filled(start), bindings.filled(text))
      guard !start.beginsOption else { throw .placeholderAsOption(text, value: start + filled) }
      guard RowDescription(PredicateText(filled)) == nil else {
        throw .placeholderInDescription(start + text)
      }
      return start + filled
    }
  }
}

enum StorePlaceholder {
  static func isIn(_ word: String) -> Bool { word.contains("{store.") }

  static func bindings(for store: LocalPath) -> TextBindings {
    let folder = store.folder == "/" ? store.folder : store.folder.dropLast()
    return TextBindings([
      ("{store.path}", path(store).argument),
      ("{store.folder}", path(folder.orHere).argument),
      ("{store.name}", store.base.argument),
    ])
  }

  /// Returns the path, with `./` as a prefix if it begins with `-`.
  private static func path(_ path: LocalPath) -> LocalPath {
    path.hasPrefix("-") ? "./\(path)" : path
  }
}

extension String {
  fileprivate var beginsOption: Bool { utf8.first == UInt8(ascii: "-") }
}
