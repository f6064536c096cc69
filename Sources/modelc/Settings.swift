import StoreCodegen
import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The settings of a target's generated code in the file `storetool-generate.json`:
///
///     {"access": "public", "allVersions": true, "codable": true}
struct Settings {
  var access = AccessLevel.internal
  var allVersions = false
  var codable = false

  private struct File: Decodable {
    var access: String?
    var allVersions: Bool?
    var codable: Bool?
  }

  /// Reads the settings. If `path` is nil, the settings are the defaults.
  ///
  /// - Throws: `SettingsError` if the file can't be read or contains an unknown access level.
  init(at path: LocalPath?) throws {
    guard let path else { return }
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: Data(path.contents()))
    } catch {
      throw SettingsError(path: path, access: nil)
    }
    allVersions = file.allVersions ?? false
    codable = file.codable ?? false
    guard let name = file.access else { return }
    guard let known = AccessLevel(rawValue: name) else {
      throw SettingsError(path: path, access: name)
    }
    access = known
  }
}

struct SettingsError: DiagnosableError {
  var path: LocalPath
  /// The unknown access level, or nil if the file can't be read.
  var access: String?

  var diagnostics: [DiagnosticMessage] {
    let place = SourcePlace(file: "\(path)", line: 1, column: 1)
    let example =
      #"write {"access": "public", "allVersions": true, "codable": true}; all are optional"#
    let message = access.map { "unknown access level '\($0)'" } ?? "the settings can't be read"
    return [DiagnosticMessage(.error, "generate.settings", message, at: place).helping(example)]
  }
}
