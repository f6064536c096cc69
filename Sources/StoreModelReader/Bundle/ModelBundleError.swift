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
