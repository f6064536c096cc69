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

/// The settings of a project: its model, store, migrations and accepted findings.
///
/// They are read from the file that the environment specifies, otherwise from `storetool.json` in the working directory
/// or in its nearest parent folder with such a file.
struct Settings: Hashable {
  /// The file of the settings; nil if there is none.
  var file: LocalPath?
  /// The path of the model. Like the following paths, it is absolute or relative to the working directory, not to the
  /// file of the settings.
  var model: LocalPath?
  var store: LocalPath?
  var migrations: LocalPath?
  /// The codes of findings that the project accepts.
  var ignored: [IgnoredCode] = []

  static let fileName = "storetool.json"

  /// The settings, or the error of reading them. They are read once per process.
  private static let found = Result { try find() }

  /// Returns the settings that apply to this process.
  ///
  /// - Throws: `DiagnosticError`, or an error of reading the file.
  static func inForce() throws -> Settings { try found.get() }

  /// The settings that apply to this process; empty if the file has errors. These errors are thrown by `inForce`, which
  /// commands call before they open a store or model.
  static var ifSound: Settings {
    switch found {
    case .success(let settings): settings
    case .failure: Settings()
    }
  }

  /// The environment variable with the path of the file. If it is empty, no settings are used.
  static let variable = "STORETOOL_SETTINGS"

  private static func find() throws -> Settings {
    if getenv(variable) != nil {
      guard let file = LocalPath(variable: variable) else { return Settings() }
      return try Settings(file: file, in: file.folder)
    }
    let depth = LocalPath.workingDirectory?.components.count ?? 0
    for level in 0...depth {
      let folder = LocalPath(String(repeating: "../", count: level))
      let file: LocalPath = "\(folder)\(fileName)"
      guard file.kind != nil else { continue }
      try SettingsTrust.check(file, in: folder)
      return try Settings(file: file, in: folder)
    }
    return Settings()
  }

  /// - Parameter folder: The folder to which the paths in the file are relative: empty, or a path that ends with a
  ///   slash.
  private init(file: LocalPath, in folder: LocalPath) throws {
    var reader = SettingsReader(try InputFile(path: file), in: folder)
    self = try reader.read()
    self.file = file
  }

  init() {}
}

/// A check whether a settings file can be trusted.
///
/// Commands search for `storetool.json` in all parent folders. Without this check, another user of the computer could
/// choose the store that a command writes. Git's `safe.directory` exists for the same reason.
enum SettingsTrust {
  /// Checks the owners and permissions of a settings file.
  ///
  /// - Parameter folder: The folder that contains the file.
  /// - Throws: `DiagnosticError` if the file can't be trusted.
  static func check(_ file: LocalPath, in folder: LocalPath) throws {
    // The owner of a link chooses its target, and the owner of the target can change the content, so both are checked.
    for followsLinks in [false, true] {
      guard let status = file.status(followsLinks: followsLinks) else { continue }
      guard isTrusted(status.owner) else {
        throw refusal(
          of: file, "settings.other-owner", "'\(file)' belongs to another user",
          "to make it yours: chown \"$USER\" '\(file)'")
      }
    }
    guard let status = file.status() else { return }
    // FIFOs, sockets and devices are rejected, because reading them could block the command. Folders are allowed here,
    // because reading a folder throws an error.
    switch status.kind {
    case .pipe, .other:
      throw DiagnosticError(
        "settings.not-a-file", "'\(file)' isn't a regular file", cause: .inputOutput)
    case .file, .folder, .link: break
    }
    guard status.mode & S_IWOTH == 0 else { throw writable(file, by: file) }
    guard let place = folder.orHere.status(), place.mode & S_IWOTH != 0 else { return }
    // In a folder with the sticky bit, such as /tmp, users can't replace the files of other users.
    guard place.mode & S_ISVTX != 0 else { throw writable(file, by: folder.orHere) }
  }

  /// Returns the error for a file that all users can change, because they can write to it or to its folder.
  private static func writable(_ file: LocalPath, by place: LocalPath) -> DiagnosticError {
    refusal(
      of: file, "settings.writable", "all users can write to '\(place)'",
      "to prevent this: chmod o-w '\(place)'")
  }

  private static func refusal(
    of file: LocalPath, _ code: String, _ message: String, _ remedy: DiagnosticRemedy
  ) -> DiagnosticError {
    DiagnosticError(
      code, message, cause: .inputOutput,
      help: [
        "it isn't read, because its author could choose the model and the store of your commands",
        remedy,
        "to use it: \(Settings.variable)='\(file)'; an empty \(Settings.variable) uses no settings",
      ])
  }

  /// Returns whether the owner is the user, root, or the user who called `sudo`.
  private static func isTrusted(_ owner: uid_t) -> Bool {
    owner == geteuid() || owner == 0 || geteuid() == 0 && owner == sudoUser
  }

  private static var sudoUser: uid_t? { Workspace.environment("SUDO_UID").flatMap { uid_t($0) } }
}

/// Reads a settings file. All invalid settings are reported together.
struct SettingsReader: ~Copyable {
  private var scanner: JSONScanner
  private let name: String
  /// The folder to which the paths are relative.
  private let folder: LocalPath
  private var settings = Settings()
  private var mistakes: [DiagnosticMessage] = []
  /// The keys that have already been read.
  private var taken: Set<String> = []

  private static let keys = ["model", "store", "migrations", "ignore"]

  init(_ source: InputFile, in folder: LocalPath) {
    name = source.name
    scanner = JSONScanner(source)
    self.folder = folder
  }

  /// Returns the settings in the file.
  ///
  /// - Throws: `DiagnosticError` with all errors, or an error of the JSON scanner if the file isn't JSON.
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
        ).didYouMean(key, among: Self.keys, elseListing: "the settings are"))
    }
  }

  private mutating func path(_ value: JSONValue, for key: String) -> LocalPath? {
    guard case .string(let text) = value.content, !text.isEmpty else {
      mistakes.append(
        mistake("settings.wrong-type", "'\(key)' requires a path", at: value.position))
      return nil
    }
    let path = LocalPath(text)
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
          mistake(
            "settings.wrong-type", "an element of 'ignore' isn't the code of a finding",
            at: element.position
          )
          .helping("messages end with their codes: \"model.same-hash\""))
        return nil
      }
      return code
    }
  }

  private func mistake(
    _ code: String, _ message: String, _ cause: DiagnosticMessage.Cause = .invalid,
    at position: TextPosition
  ) -> DiagnosticMessage {
    DiagnosticMessage(
      .error, code, message, cause: cause,
      at: SourcePlace(file: name, line: position.line, column: position.column))
  }
}
