public import StoreDiagnostics

/// Why there is no model, or no version, to read.
public enum ModelBundleError: Error, Hashable, Sendable {
  case noSuchFile(FilePath)
  case unreadable(FilePath, reason: String)
  /// Nothing in the folder looks like a model.
  case noModel(FilePath)
  /// One was asked for, and the folder holds these.
  case severalModels(FilePath, [ModelBundle])
  /// An app as it is downloaded, or another packed folder.
  case zipArchive(FilePath)
  case xcode3(version: String, path: FilePath)
  case noContents(version: String, path: FilePath)
  case noCurrentVersion(ModelBundle)
  case unknownVersion(String, ModelBundle)
  /// Two versions whose names differ only in how Unicode writes their characters.
  case twinVersions(String, String, path: FilePath)
  /// Two versions with the same name. Their files have other names, such as a byte that isn't UTF-8 and the text for it.
  case sameVersions(String, path: FilePath)
}

extension ModelBundleError: DiagnosableError {
  public var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .noSuchFile(let path):
      Diagnostic(.error, "model.no-file", "there is no '\(path)'", cause: .notFound)
    case .unreadable(let path, let reason):
      Diagnostic(
        .error, "model.unreadable", "'\(path)' can't be read: \(reason)", cause: .inputOutput)
    case .noModel(let path):
      Diagnostic(.error, "model.none", "there is no model in '\(path)'", cause: .notFound)
        .helping(
          "a model is an .xcdatamodeld or .xcdatamodel folder, its 'contents' file, model .xml, "
            + "or a compiled .momd or .mom")
    case .severalModels(let path, let found):
      Diagnostic(
        .error, "model.several", "there are several models in '\(path)'", cause: .usage,
        help: ["name one of: \(found.map { "'\($0.path)'" }.joined(separator: ", "))"])
    case .zipArchive(let path):
      Diagnostic(.error, "model.zip", "'\(path)' is a zip archive, as an app's .ipa is")
        .helping("unpack it, and name the folder: models are looked for in all of it")
    case .xcode3(let version, let path):
      Diagnostic(
        .error, "model.xcode3", "the version '\(version)' is a binary Xcode 3 model: \(path)"
      ).helping("open it once in Xcode 4 or later and save it there; then it is XML")
    case .noContents(let version, let path):
      Diagnostic(
        .error, "model.no-contents", "the version '\(version)' has no 'contents' file: \(path)")
    case .noCurrentVersion(let bundle):
      bundle.noCurrentVersion
    case .unknownVersion(let name, let bundle):
      Diagnostic(
        .error, "model.unknown-version", "'\(bundle.path)' has no version '\(name)'",
        cause: .notFound
      )
      .didYouMean(name, among: bundle.versions.map(\.name))
      .helping(bundle.versionList)
    case .twinVersions(let first, let second, let path):
      Diagnostic(
        .error, "model.twin-versions",
        "'\(path)' has two versions whose names look alike, '\(first)' and '\(second)': "
          + NameTwins(first: first, second: second).difference
      ).helping("rename one of their folders")
    case .sameVersions(let name, let path):
      Diagnostic(
        .error, "model.twin-versions", "'\(path)' has two versions with the name '\(name)'"
      )
      .helping("rename one of their folders")
    }
  }
}

extension ModelBundle {
  fileprivate var versionList: String {
    "its versions are: \(versions.map { "'\($0.name)'" }.joined(separator: ", "))"
  }

  fileprivate var noCurrentVersion: Diagnostic {
    let reason =
      switch current {
      case .declared, .only, .undeclared: "'\(path)' does not say which version is current"
      case .missing(let name): "'\(path)' has no version '\(name)', which it says is current"
      case .unreadable(let file): "'\(file)' is not a property list, so no version is current"
      }
    return Diagnostic(.error, "model.no-current-version", reason, cause: .usage)
      .helping(.model(.chooseVersion))
      .helping(versionList)
  }
}
