import RecordFormats
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
