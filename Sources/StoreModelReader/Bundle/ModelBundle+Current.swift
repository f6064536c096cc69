import StoreDiagnostics
import ModelArchives

extension ModelBundle {
  /// Which of the versions a bundle's folder says is in use. A lone one needs no declaration, and a wrong one does
  /// not make it doubtful.
  static func current(
    of versions: [ModelVersion], in folder: FilePath
  ) throws(ModelBundleError) -> Current {
    if versions.count == 1 { return .only(versions[0]) }
    // Xcode's file first: a compiled version in its bundle is an older one.
    for declaration in Declaration.allCases {
      let file = ModelPath.join(folder, FilePath(declaration.rawValue))
      guard file.kind == .file else { continue }
      return current(of: versions, by: declaration, in: try ModelPath.bytes(of: file), file: file) {
        ModelPath.join(folder, $0).spelled
      }
    }
    return .undeclared
  }

  /// - Parameters:
  ///   - bytes: what the declaring file holds.
  ///   - file: its path.
  ///   - spelling: the path of a version's file or folder, as the bundle has it.
  static func current(
    of versions: [ModelVersion], by declaration: Declaration, in bytes: [UInt8], file: FilePath,
    spelling: (FilePath) -> FilePath = { $0 }
  ) -> Current {
    let declared: String?
    do {
      declared = try declaration.version(in: bytes)
    } catch {
      return .unreadable(file: file)
    }
    guard let declared else { return .undeclared }
    let stem = ModelPath.stem(
      of: spelling(FilePath(declared)), without: ModelPath.versionExtensions)
    // Git on macOS changes the normalization of the folder's name, and not that of the declaration. No other version of
    // the bundle has an equal name.
    return versions.first { $0.name == stem }.map(Current.declared) ?? .missing(declared)
  }

  /// A file of a bundle that names the current version.
  enum Declaration: String, CaseIterable {
    case xcode = ".xccurrentversion"
    case compiler = "VersionInfo.plist"

    /// - Throws: `PropertyListError` or an error of the decoder for bytes that are no such property list.
    func version(in bytes: [UInt8]) throws -> String? {
      switch self {
      case .xcode: try ModelBundle.currentVersion(declaredIn: bytes)
      case .compiler: try VersionInfo(bytes).currentVersion
      }
    }
  }

  /// The file name of the version that an `.xccurrentversion` names; nil where it names none.
  ///
  /// - Throws: `PropertyListError` or an error of the decoder for bytes that are no such property list.
  package static func currentVersion(declaredIn bytes: [UInt8]) throws -> String? {
    try PropertyListReader.read(CurrentVersionFile.self, from: bytes).name
  }

  private struct CurrentVersionFile: Decodable {
    let name: String?

    enum CodingKeys: String, CodingKey {
      case name = "_XCCurrentVersionName"
    }
  }
}
