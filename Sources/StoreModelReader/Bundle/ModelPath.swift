import StoreDiagnostics
import StoreModel

/// The file names of models, and reading the files behind them.
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

  /// The last part of a path, without a slash at its end.
  static func name(of path: FilePath) -> String {
    "\(path.components.last ?? path)"
  }

  /// Lower case, without the dot; empty where there is none.
  static func pathExtension(of path: FilePath) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The file's name without its extension, when that is one of `extensions`.
  static func stem(of path: FilePath, without extensions: [String]) -> String {
    let name = name(of: path)
    let ending = pathExtension(of: path)
    guard extensions.contains(ending) else { return name }
    return String(name.dropLast(ending.count + 1))
  }

  /// The part before the last slash, without it.
  static func folder(of path: FilePath) -> FilePath { path.folder.dropLast() }

  static func join(_ folder: FilePath, _ name: FilePath) -> FilePath { folder.appending(name) }

  /// Whether a file is a compiled model, also without the name of one; Xcode 3's models are archives as well.
  static func isCompiled(_ path: FilePath) throws(ModelBundleError) -> Bool {
    if pathExtension(of: path) == compiledVersionExtension { return true }
    guard ![xcode3Elements, contents].contains(name(of: path)), pathExtension(of: path) != "xml"
    else { return false }
    return try head(of: path, 8).starts(with: "bplist00".utf8)
  }

  /// Whether a file is an app as it is downloaded (`.ipa`), or another zip archive.
  static func isZipArchive(_ path: FilePath) throws(ModelBundleError) -> Bool {
    try head(of: path, 4) == Array("PK".utf8) + [3, 4]
  }

  /// Names in a folder, in natural order.
  static func names(in folder: FilePath) throws(ModelBundleError) -> [FilePath] {
    do {
      return try folder.names().sorted { NaturalOrder.isLess("\($0)", "\($1)") }
    } catch {
      throw .unreadable(folder, reason: reason(error))
    }
  }

  static func bytes(of path: FilePath) throws(ModelBundleError) -> [UInt8] {
    try head(of: path, .max)
  }

  /// The first bytes of a file, which may be a large one.
  static func head(of path: FilePath, _ count: Int) throws(ModelBundleError) -> [UInt8] {
    guard path.kind != nil else { throw .noSuchFile(path) }
    do {
      return try path.contents(limit: count)
    } catch {
      throw .unreadable(path, reason: reason(error))
    }
  }

  private static func reason(_ error: SystemError) -> String {
    error.isMissing ? "it is gone" : error.reason
  }
}
