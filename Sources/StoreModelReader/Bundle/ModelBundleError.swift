/// Why there is no model, or no version, to read.
public enum ModelBundleError: Error, Hashable, Sendable {
  case noSuchFile(String)
  case unreadable(String, reason: String)
  /// Nothing in the folder looks like a model.
  case noModel(String)
  /// One was asked for, and the folder holds these.
  case severalModels(String, [ModelBundle])
  /// An app as it is downloaded, or another packed folder.
  case zipArchive(String)
  case xcode3(version: String, path: String)
  case noContents(version: String, path: String)
  case noCurrentVersion(ModelBundle)
  case unknownVersion(String, ModelBundle)
  /// Two versions whose names differ only in how Unicode writes their characters.
  case twinVersions(String, String, path: String)
}
