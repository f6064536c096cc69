package import StoreDiagnostics
import StoreModel

/// The released versions of a model, which the file `Migrations/<Model>.lock` lists.
///
/// The file is designed for reviews and merges. It contains one line for each version, in the natural order of their
/// names. An existing line never changes.
///
///     # The released versions of Todo, …
///     pq8pjsiGvWvwW1Wb2CY9wXo0Ki2B4hdl8Ey2mFeUUQ4=  Todo
///     B0yA2mO0bq3kUS2a2F0JTV1j4lz1u3bYQqLh1b7zP1o=  Todo 2
package struct VersionLock: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let version: String
    /// The hash of the model's entities: 32 bytes in base64. A store's metadata contains it as
    /// `NSStoreModelVersionChecksumKey`.
    package let hash: String
    /// The location of the entry's line. It is nil if the entry isn't in the file yet.
    package let place: SourcePlace?
  }

  package let path: LocalPath
  /// The name of the model.
  package let model: String
  /// The entries in the natural order of the names of the versions.
  package private(set) var entries: [Entry]

  package init(path: LocalPath, model: String, entries: [Entry] = []) {
    self.path = path
    self.model = model
    self.entries = entries
    sort()
  }

  package func entry(for version: String) -> Entry? {
    entries.first { $0.version.isExactly(version) }
  }

  /// - Precondition: The lock file doesn't contain the version yet.
  package mutating func add(_ version: String, hash: String) {
    precondition(entry(for: version) == nil, "a line is never changed")
    entries.append(Entry(version: version, hash: hash, place: nil))
    sort()
  }

  private mutating func sort() {
    entries.sort { NaturalOrder.isLess($0.version, $1.version) }
  }

  /// The content of the file.
  package var text: String {
    let header = """
      # The released versions of \(model): hash (a store's NSStoreModelVersionChecksumKey) and name.
      # 'storetool model lock' adds versions, 'storetool model check' fails when one of these is edited
      # or removed. A line is never changed.

      """
    return header + entries.map { "\($0.hash)  \($0.version)\n" }.joined()
  }

  /// Replaces the file, and creates its folder if it is missing.
  package func write() throws(DiagnosticError) {
    do throws(FileWriteError) {
      try StagedFile.replace(path, with: Array(text.utf8), makesFolders: true)
    } catch {
      throw DiagnosticError([.unwritable(path, "lock.unwritable", error.reason)])
    }
  }
}

extension VersionLock {
  /// Returns the path of the lock file, such as `Migrations/Todo.lock`.
  package static func path(of bundle: ModelBundle, in folder: LocalPath) -> LocalPath {
    folder.appending("\(bundle.name).lock")
  }

  /// Reads the lock file of a model. If the file doesn't exist, the result has no entries.
  ///
  /// - Throws: `ModelBundleError` if the file can't be read, or `DiagnosticError` with all errors in the file.
  package static func read(of bundle: ModelBundle, in folder: LocalPath) throws -> VersionLock {
    let path = path(of: bundle, in: folder)
    guard path.kind != nil else {
      return VersionLock(path: path, model: bundle.name)
    }
    let text = String(decoding: try ModelPath.bytes(of: path), as: UTF8.self)
    return try VersionLock(path: path, model: bundle.name, parsing: text)
  }

  /// - Throws: `DiagnosticError` with all errors in the text.
  package init(path: LocalPath, model: String, parsing text: String) throws(DiagnosticError) {
    var entries: [Entry] = []
    var mistakes: [DiagnosticMessage] = []
    // `isNewline` also matches CR LF, which is a single `Character`.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let content = Self.trimmed(line)
      guard !content.isEmpty, !content.hasPrefix("#") else { continue }
      let place = SourcePlace(file: "\(path)", line: index + 1, column: 1)
      do throws(VersionLockLineError) {
        let entry = try Self.entry(content, at: place)
        if let first = entries.first(where: { $0.version.isExactly(entry.version) }) {
          throw .twice(entry.version, firstLine: first.place?.line ?? 0)
        }
        entries.append(entry)
      } catch {
        mistakes.append(error.diagnostic(at: place, line: content))
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticError(mistakes) }
    self.init(path: path, model: model, entries: entries)
  }

  private static func trimmed(_ line: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(String(line.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
  }

  /// Parses a hash, white space and a name.
  private static func entry(
    _ line: String, at place: SourcePlace
  ) throws(VersionLockLineError) -> Entry {
    if ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains(where: line.hasPrefix) {
      throw .conflict
    }
    let hash = line.prefix { $0 != " " && $0 != "\t" }
    let name = line.dropFirst(hash.count).drop { $0 == " " || $0 == "\t" }
    guard !name.isEmpty else { throw .malformed }
    guard hash.utf8.count == 44, hash.hasSuffix("="), hash.dropLast().allSatisfy(isBase64) else {
      throw .noHash(String(hash))
    }
    return Entry(version: String(name), hash: String(hash), place: place)
  }

  private static func isBase64(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+/".contains(character))
  }
}

/// An error in a line of a lock file.
enum VersionLockLineError: Error, Hashable {
  case malformed
  case noHash(String)
  case twice(String, firstLine: Int)
  /// The line is a conflict marker of Git.
  case conflict

  func diagnostic(at place: SourcePlace, line: String) -> DiagnosticMessage {
    func failure(_ code: String, _ message: String) -> DiagnosticMessage {
      let excerpt = DiagnosticMessage.Excerpt(text: line, range: 0..<line.utf8.count)
      return DiagnosticMessage(.error, "lock.\(code)", message, at: place, excerpt: excerpt)
    }
    return switch self {
    case .malformed:
      failure("malformed", "a line of a lock file must contain a hash and the name of a version")
    case .noHash(let text):
      failure("no-hash", "'\(text)' isn't a version hash")
        .helping("restore the line: a version hash is 32 bytes as base64, and never changes")
    case .twice(let version, let firstLine):
      failure(
        "twice", "the version '\(version)' has two hashes; the first one is on line \(firstLine)"
      ).helping("two branches have released a version with this name: rename one of them")
    case .conflict:
      failure("conflict", "unresolved merge conflict")
        .helping(
          "keep the lines of both sides. If both versions have the same name, rename one of them")
    }
  }
}
