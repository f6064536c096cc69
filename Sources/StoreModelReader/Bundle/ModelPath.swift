import StoreDiagnostics
import StoreModel

/// The file names of models, and functions that read the files.
enum ModelPath {
  static let bundleExtension = "xcdatamodeld"
  static let versionExtension = "xcdatamodel"
  static let compiledBundleExtension = "momd"
  static let compiledVersionExtension = "mom"
  static let bundleExtensions = [bundleExtension, compiledBundleExtension]
  static let versionExtensions = [versionExtension, compiledVersionExtension]
  static let contents = "contents"
  static let xcode3Elements = "elements"
  static let mappingExtension = "xcmappingmodel"
  static let mappingContents = "xcmapping.xml"

  /// Returns the last component of a path, without a trailing slash.
  static func name(of path: LocalPath) -> String {
    "\(path.components.last ?? path)"
  }

  /// Returns the extension in lowercase without the dot, or an empty text if there is no extension.
  static func pathExtension(of path: LocalPath) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Returns the file name. Its extension is removed if it is one of `extensions`.
  static func stem(of path: LocalPath, without extensions: [String]) -> String {
    let name = name(of: path)
    let ending = pathExtension(of: path)
    guard extensions.contains(ending) else { return name }
    return String(name.dropLast(ending.count + 1))
  }

  /// Returns the part before the last slash.
  static func folder(of path: LocalPath) -> LocalPath { path.folder.dropLast() }

  /// Returns whether a file is a compiled model: its extension is `mom`, or it is a binary property list. A file that
  /// is named `elements` or `contents`, or has the extension `xml`, isn't compiled: a binary property list with such a
  /// name is a model of Xcode 3.
  static func isCompiled(_ path: LocalPath) throws(ModelBundleError) -> Bool {
    if pathExtension(of: path) == compiledVersionExtension { return true }
    guard ![xcode3Elements, contents].contains(name(of: path)), pathExtension(of: path) != "xml"
    else { return false }
    return try head(of: path, 8).starts(with: "bplist00".utf8)
  }

  /// Returns whether a file is a zip archive, such as an app's `.ipa`.
  static func isZipArchive(_ path: LocalPath) throws(ModelBundleError) -> Bool {
    try head(of: path, 4) == Array("PK".utf8) + [3, 4]
  }

  /// Returns the names in a folder in natural order.
  static func names(in folder: LocalPath) throws(ModelBundleError) -> [LocalPath] {
    do {
      return try folder.names().sorted { NaturalOrder.isLess("\($0)", "\($1)") }
    } catch {
      throw .unreadable(folder, reason: reason(error))
    }
  }

  static func bytes(of path: LocalPath) throws(ModelBundleError) -> [UInt8] {
    try head(of: path, .max)
  }

  /// Returns at most the first `count` bytes of a file.
  static func head(of path: LocalPath, _ count: Int) throws(ModelBundleError) -> [UInt8] {
    guard path.kind != nil else { throw .noSuchFile(path) }
    do {
      return try path.contents(limit: count)
    } catch {
      throw .unreadable(path, reason: reason(error))
    }
  }

  private static func reason(_ error: SystemError) -> String {
    error.isMissing ? "it no longer exists" : error.reason
  }
}
