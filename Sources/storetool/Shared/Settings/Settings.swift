import RecordFormats
import SQLiteAccess
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a project says once: which model and which store its commands are about. From `storetool.json` in the working
/// directory or the nearest folder above it.
struct Settings: Hashable {
  /// Where they stand; nil where no such file is.
  var file: FilePath?
  /// The three paths as they are reached from the working directory.
  var model: FilePath?
  var store: FilePath?
  var migrations: FilePath?
  /// Findings that the project accepts.
  var ignored: [IgnoredCode] = []

  static let fileName = "storetool.json"

  /// Those of the working directory, read once.
  private static let found = Result { try find() }

  /// - Throws: `SettingsRefusal`; what reading the file throws.
  static func inForce() throws -> Settings { try found.get() }

  /// The same where a mistake in the file is told elsewhere, before anything is done.
  static var ifSound: Settings {
    switch found {
    case .success(let settings): settings
    case .failure: Settings()
    }
  }

  /// The variable of the environment with the path of the file. With an empty value no file is used.
  static let variable = "STORETOOL_SETTINGS"

  private static func find() throws -> Settings {
    if getenv(variable) != nil {
      guard let file = FilePath(variable: variable) else { return Settings() }
      return try Settings(file: file, in: file.folder)
    }
    let depth = FilePath.workingDirectory?.components.count ?? 0
    for level in 0...depth {
      let folder = FilePath(String(repeating: "../", count: level))
      let file: FilePath = "\(folder)\(fileName)"
      guard file.kind != nil else { continue }
      try SettingsTrust.check(file, in: folder)
      return try Settings(file: file, in: folder)
    }
    return Settings()
  }

  /// - Parameter folder: that of the file, which its paths begin at; empty or with a slash at its end.
  private init(file: FilePath, in folder: FilePath) throws {
    var reader = SettingsReader(try InputFile(path: file), in: folder)
    self = try reader.read()
    self.file = file
  }

  init() {}
}

/// Whether a settings file that was found can be trusted.
///
/// Commands look for `storetool.json` in all parent folders. Without this check another user of the machine could choose
/// the store that a command writes, as with Git's `safe.directory`.
enum SettingsTrust {
  /// - Parameter folder: the folder of the file.
  /// - Throws: `SettingsRefusal`
  static func check(_ file: FilePath, in folder: FilePath) throws(SettingsRefusal) {
    // For a link, both owners count: one chose the target, and the other can change it.
    for followsLinks in [false, true] {
      guard let status = file.status(followsLinks: followsLinks) else { continue }
      guard isTrusted(status.owner) else { throw .otherOwner(file) }
    }
    guard let status = file.status() else { return }
    // A FIFO could keep the command waiting. For a folder, reading reports the error.
    switch status.kind {
    case .pipe, .other: throw .notAFile(file)
    case .file, .folder, .link: break
    }
    guard status.mode & S_IWOTH == 0 else { throw .writable(file, by: file) }
    guard let place = folder.orHere.status(), place.mode & S_IWOTH != 0 else { return }
    // In a sticky folder, such as /tmp, only the owner can replace a file.
    guard place.mode & S_ISVTX != 0 else { throw .writable(file, by: folder.orHere) }
  }

  /// The user, root, and the user who called `sudo`.
  private static func isTrusted(_ owner: uid_t) -> Bool {
    owner == geteuid() || owner == 0 || geteuid() == 0 && owner == sudoUser
  }

  private static var sudoUser: uid_t? { Workspace.environment("SUDO_UID").flatMap { uid_t($0) } }
}

/// A settings file that isn't used.
enum SettingsRefusal: Error, Hashable {
  case otherOwner(FilePath)
  case notAFile(FilePath)
  /// All users may write the file, or replace it because they may write its folder.
  case writable(FilePath, by: FilePath)
}

extension SettingsRefusal: DiagnosableError {
  var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .otherOwner(let file):
      refusal(
        of: file, "settings.other-owner", "'\(file)' belongs to another user",
        "to make it yours: chown \"$USER\" '\(file)'")
    case .notAFile(let file):
      Diagnostic(
        .error, "settings.not-a-file", "'\(file)' isn't a regular file", cause: .inputOutput)
    case .writable(let file, let place):
      refusal(
        of: file, "settings.writable", "all users can write to '\(place)'",
        "to prevent this: chmod o-w '\(place)'")
    }
  }

  private func refusal(
    of file: FilePath, _ code: String, _ message: String, _ remedy: Remedy
  ) -> Diagnostic {
    Diagnostic(
      .error, code, message, cause: .inputOutput,
      help: [
        "it isn't read, because its author could choose the model and the store of your commands",
        remedy,
        "to use it: \(Settings.variable)='\(file)'; an empty \(Settings.variable) uses no settings",
      ])
  }
}

/// Reads a settings file; all its mistakes are told together.
struct SettingsReader: ~Copyable {
  private var scanner: JSONScanner
  private let name: String
  /// Where the paths in it begin.
  private let folder: FilePath
  private var settings = Settings()
  private var mistakes: [Diagnostic] = []
  private var taken: Set<String> = []

  private static let keys = ["model", "store", "migrations", "ignore"]

  init(_ source: InputFile, in folder: FilePath) {
    name = source.name
    scanner = JSONScanner(source)
    self.folder = folder
  }

  /// - Throws: `DiagnosticError` with what is wrong; `InputError` where it is no JSON.
  mutating func read() throws -> Settings {
    guard try scanner.next() == .beginObject else {
      throw DiagnosticError(
        mistake("settings.no-object", "settings must be a JSON object", at: scanner.tokenPosition())
      )
    }
    while try scanner.next() == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      let position = scanner.tokenPosition()
      guard let value = try scanner.nextValue() else { break }
      take(value, for: key, at: position)
    }
    guard try scanner.next() == .end else {
      throw DiagnosticError(
        mistake(
          "settings.no-object", "unexpected text after the settings", at: scanner.tokenPosition()))
    }
    guard mistakes.isEmpty else { throw DiagnosticError(mistakes) }
    return settings
  }

  private mutating func take(_ value: JSONValue, for key: String, at position: TextPosition) {
    guard taken.insert(key).inserted else {
      mistakes.append(
        mistake("settings.repeated-key", "duplicate setting '\(key)'", at: position))
      return
    }
    switch key {
    case "model": settings.model = path(value, for: key)
    case "store": settings.store = path(value, for: key)
    case "migrations": settings.migrations = path(value, for: key)
    case "ignore": settings.ignored = codes(value)
    default:
      mistakes.append(
        mistake(
          "settings.unknown-key", "unknown setting '\(key)'", .notFound, at: position
        ).didYouMean(key, among: Self.keys, elseListing: "settings are"))
    }
  }

  private mutating func path(_ value: JSONValue, for key: String) -> FilePath? {
    guard case .string(let text) = value.content, !text.isEmpty else {
      mistakes.append(
        mistake("settings.wrong-type", "'\(key)' requires a path", at: value.position))
      return nil
    }
    let path = FilePath(text)
    return path.isAbsolute ? path : "\(folder)\(path)"
  }

  private mutating func codes(_ value: JSONValue) -> [IgnoredCode] {
    guard case .array(let elements) = value.content else {
      mistakes.append(
        mistake("settings.wrong-type", "'ignore' requires a list of codes", at: value.position)
          .helping("write \"ignore\": [\"model.same-hash\"]"))
      return []
    }
    return elements.compactMap { element in
      guard case .string(let text) = element.content, let code = IgnoredCode(text) else {
        mistakes.append(
          mistake("settings.wrong-type", "this isn't the code of a finding", at: element.position)
            .helping("messages end with their codes: \"model.same-hash\""))
        return nil
      }
      return code
    }
  }

  private func mistake(
    _ code: String, _ message: String, _ cause: Diagnostic.Cause = .invalid,
    at position: TextPosition
  ) -> Diagnostic {
    Diagnostic(
      .error, code, message, cause: cause,
      at: SourcePlace(file: name, line: position.line, column: position.column))
  }
}
