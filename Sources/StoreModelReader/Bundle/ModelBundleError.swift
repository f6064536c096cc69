public import StoreDiagnostics

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reason why a model or a version can't be read.
public enum ModelBundleError: Error, Hashable, Sendable {
  /// The file doesn't exist.
  case noSuchFile(LocalPath)
  /// The file or folder can't be read.
  case unreadable(LocalPath, reason: String)
  /// The folder doesn't contain a model.
  case noModel(LocalPath)
  /// The folder contains these models, but one model is required.
  case severalModels(LocalPath, [ModelBundle])
  /// The file is a zip archive, such as an app's `.ipa`.
  case zipArchive(LocalPath)
  /// The version has the binary format of Xcode 3.
  case xcode3(version: String, path: LocalPath)
  /// The folder of the version doesn't contain a `contents` file.
  case noContents(version: String, path: LocalPath)
  /// The current version of the bundle can't be determined.
  case noCurrentVersion(ModelBundle)
  /// The bundle doesn't contain a version with this name.
  case unknownVersion(String, ModelBundle)
  /// The names of two versions differ only in the Unicode spelling of their characters.
  case twinVersions(String, String, path: LocalPath)
  /// Two versions have the same name, although their file names differ, for example in a byte that isn't UTF-8.
  case sameVersions(String, path: LocalPath)
}

extension ModelBundleError: DiagnosableError {
  public var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noSuchFile(let path):
      failure("no-file", "the file '\(path)' doesn't exist", cause: .notFound)
    case .unreadable(let path, let reason):
      failure("unreadable", "'\(path)' can't be read: \(reason)", cause: .inputOutput)
    case .noModel(let path) where "\(path)".hasSuffix(".xcdatamodeld"):
      failure(
        "none", "'\(path)' doesn't contain a version, which is an .xcdatamodel folder",
        cause: .notFound)
    case .noModel(let path):
      failure("none", "'\(path)' doesn't contain a model", cause: .notFound)
        .helping(
          "a model is an .xcdatamodeld or .xcdatamodel folder, its 'contents' file, the .xml file of a model, "
            + "or a compiled .momd or .mom")
    case .severalModels(let path, let found):
      failure("several", "'\(path)' contains several models", cause: .usage)
        .helping("specify one of: \(found.map { "'\($0.path)'" }.joined(separator: ", "))")
    case .zipArchive(let path):
      failure("zip", "'\(path)' is a zip archive, such as an app's .ipa file")
        .helping("unpack it and specify the folder, which is searched for models")
    case .xcode3(let version, let path):
      failure("xcode3", "the version '\(version)' is a binary Xcode 3 model: \(path)")
        .helping("open and save it in Xcode 4 or later, which converts it to XML")
    case .noContents(let version, let path):
      failure("no-contents", "the version '\(version)' has no 'contents' file: \(path)")
    case .noCurrentVersion(let bundle):
      bundle.noCurrentVersion
    case .unknownVersion(let name, let bundle):
      failure(
        "unknown-version", "'\(bundle.path)' has no version '\(name)'", cause: .notFound
      )
      .didYouMean(name, among: bundle.versions.map(\.name))
      .helping(bundle.versionList)
    case .twinVersions(let first, let second, let path):
      failure(
        "twin-versions",
        "'\(path)' has two versions whose names look alike, '\(first)' and '\(second)': "
          + NameTwins(first: first, second: second).difference
      ).helping("rename one of their folders")
    case .sameVersions(let name, let path):
      failure("twin-versions", "'\(path)' has two versions with the name '\(name)'")
        .helping("rename one of their folders")
    }
  }

  private func failure(
    _ code: String, _ message: String, cause: DiagnosticMessage.Cause = .invalid
  ) -> DiagnosticMessage {
    DiagnosticMessage(.error, "model.\(code)", message, cause: cause)
  }
}

extension ModelBundle {
  fileprivate var versionList: String {
    "its versions are: \(versions.map { "'\($0.name)'" }.joined(separator: ", "))"
  }

  fileprivate var noCurrentVersion: DiagnosticMessage {
    let reason =
      switch current {
      case .declared, .only, .undeclared: "'\(path)' doesn't specify the current version"
      case .missing(let name): "the current version of '\(path)' is '\(name)', which doesn't exist"
      case .unreadable(let file):
        "'\(file)' isn't a property list, so the current version is unknown"
      }
    return DiagnosticMessage(.error, "model.no-current-version", reason, cause: .usage)
      .helping(.model(.chooseVersion))
      .helping(versionList)
  }
}

extension ModelBundleError: LocalizedError {}
