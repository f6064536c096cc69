package import StoreDiagnostics
import StoreModelReader

/// The reason why a model bundle can't be written.
package enum NewModelBundleError: DiagnosableError, Hashable {
  case noBundleName(LocalPath, ending: String)
  case unfitName(String, FileNameIssue)
  /// Two versions have names that are equal or differ only in case, which some file systems ignore.
  case sameName(String, String)
  case exists(LocalPath)
  case folderMissing(LocalPath)
  case unwritable(LocalPath, reason: String)

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noBundleName(let path, let ending):
      DiagnosticMessage(
        .error, "bundle.name", "'\(path)' doesn't end in '\(ending)'", cause: .usage
      ).helping("specify a name such as 'App\(ending)'")
    case .unfitName(let name, let problem):
      DiagnosticMessage(
        .error, "bundle.version-name",
        "the version '\(name)' can't have a folder with its name: \(problem.rawValue)"
      ).helping("rename the version, or write its XML to a separate file")
    case .sameName(let name, let other):
      DiagnosticMessage(
        .error, "bundle.version-name",
        "the versions '\(name)' and '\(other)' can't be in the same bundle: "
          + "their names are equal or differ only in case"
      ).helping("write the XML of each version to a separate file")
    case .exists(let path):
      DiagnosticMessage(
        .error, "bundle.exists", "'\(path)' already exists and won't be overwritten",
        cause: .cannotCreate)
    case .folderMissing(let path):
      DiagnosticMessage(
        .error, "bundle.no-folder", "the folder of '\(path)' doesn't exist", cause: .cannotCreate)
    case .unwritable(let path, let reason):
      .unwritable(path, "bundle.unwritable", reason)
    }
  }
}

/// The reason why a name can't be a file name, as a sentence.
package enum FileNameIssue: String, Sendable {
  case empty = "it is empty"
  /// With a slash, the file would be in another folder.
  case slash = "it contains a slash"
  /// The file would be hidden, so it wouldn't be a version of a model.
  case leadingDot = "it begins with a dot"
  case controlCharacter = "it contains control characters"
  case tooLong = "it is too long"

  /// Returns nil if `name` with the extension `ending` can be a file name.
  init?(of name: String, with ending: String) {
    if name.isEmpty {
      self = .empty
    } else if name.unicodeScalars.contains("/") {
      self = .slash
    } else if name.unicodeScalars.first == "." {
      self = .leadingDot
    } else if name.unicodeScalars.contains(where: ControlCharacters.isControl) {
      self = .controlCharacter
    } else if name.utf8.count + ending.utf8.count > Self.limit {
      self = .tooLong
    } else {
      return nil
    }
  }

  /// The maximum length of a file name in bytes on common file systems.
  private static let limit = 255
}
