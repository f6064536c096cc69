package import StoreDiagnostics

/// Why a model bundle can't be made.
package enum NewModelBundleError: Error, Hashable {
  case noBundleName(FilePath, ending: String)
  case unfitName(String, FileNameIssue)
  /// Two versions that a file system would take for one.
  case sameName(String, String)
  case exists(FilePath)
  case folderMissing(FilePath)
  case unwritable(FilePath, reason: String)
}

extension NewModelBundleError: DiagnosableError {
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .noBundleName(let path, let ending):
      Diagnostic(
        .error, "bundle.name", "'\(path)' does not end in '\(ending)'", cause: .usage
      ).helping("a bundle is called so: 'App\(ending)'")
    case .unfitName(let name, let problem):
      Diagnostic(
        .error, "bundle.version-name",
        "no folder can be called as the version '\(name)': \(problem.sentence)"
      ).helping("rename it, or write its XML on its own")
    case .sameName(let name, let other):
      Diagnostic(
        .error, "bundle.version-name",
        "the versions '\(name)' and '\(other)' can't lie in one bundle: their names are the same"
      ).helping("write the XML of each on its own")
    case .exists(let path):
      Diagnostic(
        .error, "bundle.exists", "'\(path)' exists already and is not overwritten",
        cause: .cannotCreate)
    case .folderMissing(let path):
      Diagnostic(
        .error, "bundle.no-folder", "the folder of '\(path)' does not exist", cause: .cannotCreate)
    case .unwritable(let path, let reason):
      Diagnostic(
        .error, "bundle.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput)
    }
  }
}

/// Why a name can't be that of a file.
package enum FileNameIssue: Hashable, Sendable {
  case empty
  /// It would lead out of its folder.
  case slash
  /// The file would be hidden, and so no version of a model.
  case leadingDot
  case controlCharacter
  case tooLong

  /// What keeps a file from being called `name` with that ending; nil when nothing does.
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

  /// In bytes, on all file systems in use.
  private static let limit = 255

  var sentence: String {
    switch self {
    case .empty: "it is empty"
    case .slash: "it has a slash"
    case .leadingDot: "it begins with a dot"
    case .controlCharacter: "it has control characters"
    case .tooLong: "it is too long"
    }
  }
}
