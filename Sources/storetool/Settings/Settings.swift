import RecordFormats
import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a project says once: which model and which store its commands are about. From `storetool.json` in the working
/// directory or the nearest folder above it.
struct Settings: Hashable {
  /// Where they stand; nil where no such file is.
  var file: String?
  /// The three paths as they are reached from the working directory.
  var model: String?
  var store: String?
  var migrations: String?
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
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    for level in 0...depth {
      let folder = String(repeating: "../", count: level)
      guard FileManager.default.fileExists(atPath: folder + fileName) else { continue }
      return try Settings(file: folder + fileName, in: folder)
    }
    return Settings()
  }

  /// - Parameter folder: that of the file, which its paths begin at; empty or with a slash at its end.
  private init(file: String, in folder: String) throws {
    var reader = SettingsReader(try InputFile(path: file), in: folder)
    self = try reader.read()
    self.file = file
  }

  init() {}
}
