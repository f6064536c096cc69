import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  static func name(of path: String) -> String {
    let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
    return String(trimmed.split(separator: "/").last ?? trimmed)
  }

  /// Lower case, without the dot; empty where there is none.
  static func pathExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The file's name without its extension, when that is one of `extensions`.
  static func stem(of path: String, without extensions: [String]) -> String {
    let name = name(of: path)
    let ending = pathExtension(of: name)
    guard extensions.contains(ending) else { return name }
    return String(name.dropLast(ending.count + 1))
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Whether a file is a compiled model, also without the name of one; Xcode 3's models are archives as well.
  static func isCompiled(_ path: String) throws(ModelBundleError) -> Bool {
    if pathExtension(of: path) == compiledVersionExtension { return true }
    guard ![xcode3Elements, contents].contains(name(of: path)), pathExtension(of: path) != "xml"
    else { return false }
    return try head(of: path, 8).starts(with: "bplist00".utf8)
  }

  /// Whether a file is an app as it is downloaded (`.ipa`), or another zip archive.
  static func isZipArchive(_ path: String) throws(ModelBundleError) -> Bool {
    try head(of: path, 4) == Array("PK".utf8) + [3, 4]
  }

  enum Kind {
    case file, folder
  }

  static func kind(of path: String) -> Kind? {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder ? .folder : .file
  }

  /// Names in a folder, in natural order.
  static func names(in folder: String) throws(ModelBundleError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .sorted(by: NaturalOrder.isLess)
    } catch {
      throw .unreadable(folder, reason: reason(error))
    }
  }

  static func bytes(of path: String) throws(ModelBundleError) -> [UInt8] {
    try Array(data(of: path))
  }

  /// The first bytes of a file, which may be a large one.
  static func head(of path: String, _ count: Int) throws(ModelBundleError) -> [UInt8] {
    try Array(data(of: path, .alwaysMapped).prefix(count))
  }

  private static func data(
    of path: String, _ options: Data.ReadingOptions = []
  ) throws(ModelBundleError) -> Data {
    guard kind(of: path) != nil else { throw .noSuchFile(path) }
    do {
      return try Data(contentsOf: URL(filePath: path), options: options)
    } catch {
      throw .unreadable(path, reason: reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission: "permission denied"
    case .fileReadNoSuchFile, .fileNoSuchFile: "it is gone"
    default: "\(error)"
    }
  }
}
