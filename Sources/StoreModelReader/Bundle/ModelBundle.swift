import ModelArchives
public import StoreDiagnostics
package import StoreModel

/// The versions of one model: an `.xcdatamodeld` bundle or a compiled `.momd`, or a single model on its own.
///
///     let bundle = try ModelBundle(at: "Models/Todo.xcdatamodeld")
///     let current = try bundle.requireCurrentVersion().read().model
///     let all = try bundle.versions.map { try $0.read().model }
public struct ModelBundle: Hashable, Sendable {
  /// Which version the bundle says is in use.
  package enum Current: Hashable, Sendable {
    /// `.xccurrentversion` or `VersionInfo.plist` names it.
    case declared(ModelVersion)
    /// There is only this one.
    case only(ModelVersion)
    /// Several versions, and no word about which.
    case undeclared
    /// It names a version that is not in the bundle.
    case missing(String)
    /// It is not a property list.
    case unreadable(file: FilePath)
  }

  /// The bundle's folder, or the file of a lone model.
  public let path: FilePath
  /// `Todo` for `Todo.xcdatamodeld`.
  public let name: String
  /// In natural order of their names, which is mostly the order of their making.
  public let versions: [ModelVersion]
  package let current: Current

  /// The version in use, where that is known.
  public var currentVersion: ModelVersion? {
    switch current {
    case .declared(let version), .only(let version): version
    case .undeclared, .missing, .unreadable: nil
    }
  }

  /// The version in use.
  ///
  /// - Throws: `ModelBundleError` with the versions to choose from when it is not known.
  public func requireCurrentVersion() throws(ModelBundleError) -> ModelVersion {
    guard let version = currentVersion else { throw .noCurrentVersion(self) }
    return version
  }

  /// The version of a name: `Todo 2`, or `Todo 2.xcdatamodel`.
  ///
  /// - Throws: `ModelBundleError` with the nearest name when there is none.
  public func version(named name: String) throws(ModelBundleError) -> ModelVersion {
    guard let version = find(versionNamed: name) else { throw .unknownVersion(name, self) }
    return version
  }

  /// Whether `version(named:)` finds one.
  package func hasVersion(named name: String) -> Bool { find(versionNamed: name) != nil }

  /// With a version from elsewhere. Which one is in use stays.
  ///
  /// - Parameter name: what it is called here; none of the bundle's is.
  package func adding(_ version: ModelVersion, named name: String) -> ModelBundle {
    let added = ModelVersion(name: name, path: version.path, form: version.form)
    return ModelBundle(path: path, name: self.name, versions: [added] + versions, current: current)
  }

  private func find(versionNamed name: String) -> ModelVersion? {
    let stem = ModelPath.stem(of: FilePath(name), without: ModelPath.versionExtensions)
    return versions.first { $0.name.isExactly(stem) }
  }

  /// - Parameter migrations: between which versions there is a definition.
  package func order(by migrations: [VersionJump]) -> VersionOrder {
    VersionOrder(
      of: versions.map(\.name), current: currentVersion?.name, migrations: migrations)
  }

  /// `Migrations` beside the folder that holds the model: for `App/Models/Todo.xcdatamodeld` it is
  /// `App/Migrations`. Beside a model in the working directory it is there, too.
  package var defaultMigrationsFolder: FilePath { Self.defaultMigrationsFolder(ofModelAt: path) }

  package static func defaultMigrationsFolder(ofModelAt path: FilePath) -> FilePath {
    let models = tidy(ModelPath.folder(of: bundlePath(path)))
    // What `..` is called, and so what is beside it, the path does not say.
    let parent = ModelPath.name(of: models) == ".." ? models : ModelPath.folder(of: models)
    return ModelPath.join(tidy(parent), "Migrations")
  }

  /// The path of the bundle also for one of its versions or files on its own.
  private static func bundlePath(_ path: FilePath) -> FilePath {
    let extensions = [ModelPath.bundleExtension, ModelPath.versionExtension]
    var path = tidy(path)
    var folder = ModelPath.folder(of: path)
    while extensions.contains(ModelPath.pathExtension(of: folder)) {
      path = folder
      folder = ModelPath.folder(of: path)
    }
    return path
  }

  /// Without the slashes at the end; `.` is the empty path.
  private static func tidy(_ path: FilePath) -> FilePath {
    var path = path
    while path.hasSuffix("/"), path != "/" { path = path.dropLast() }
    return path == "." ? "" : path
  }

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
