import RecordFormats
import StoreDiagnostics

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

  /// - Throws: `SettingsFailure`; what reading the file throws.
  static func inForce() throws -> Settings { try found.get() }

  /// The same where a mistake in the file is told elsewhere, before anything is done.
  static var ifSound: Settings {
    switch found {
    case .success(let settings): settings
    case .failure: Settings()
    }
  }

  private static func find() throws -> Settings {
    let depth = FilePath.workingDirectory?.components.count ?? 0
    for level in 0...depth {
      let folder = FilePath(String(repeating: "../", count: level))
      let file: FilePath = "\(folder)\(fileName)"
      guard file.kind != nil else { continue }
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
