import ModelArchives
public import StoreDiagnostics
package import StoreModel

/// The versions of one model: an `.xcdatamodeld` bundle, a compiled `.momd`, or a single model.
///
///     let bundle = try ModelBundle(at: "Models/Todo.xcdatamodeld")
///     let current = try bundle.requireCurrentVersion().read().model
///     let all = try bundle.versions.map { try $0.read().model }
public struct ModelBundle: Hashable, Sendable {
  /// The declaration of the current version in a bundle.
  package enum Current: Hashable, Sendable {
    /// `.xccurrentversion` or `VersionInfo.plist` specifies the version.
    case declared(ModelVersion)
    /// The bundle has only one version.
    case only(ModelVersion)
    /// The bundle has several versions and doesn't specify the current one.
    case undeclared
    /// The specified version doesn't exist in the bundle.
    case missing(String)
    /// The file with the declaration isn't a property list.
    case unreadable(file: FilePath)
  }

  /// The folder of the bundle, or the file of a single model.
  public let path: FilePath
  /// The name of the model, such as `Todo` for `Todo.xcdatamodeld`.
  public let name: String
  /// The versions in the natural order of their names, which usually is the order of their creation.
  public let versions: [ModelVersion]
  package let current: Current

  /// The current version, if it is known.
  public var currentVersion: ModelVersion? {
    switch current {
    case .declared(let version), .only(let version): version
    case .undeclared, .missing, .unreadable: nil
    }
  }

  /// Returns the current version.
  ///
  /// - Throws: `ModelBundleError` with the existing versions if the current one isn't known.
  public func requireCurrentVersion() throws(ModelBundleError) -> ModelVersion {
    guard let version = currentVersion else { throw .noCurrentVersion(self) }
    return version
  }

  /// Returns the version with a name.
  ///
  /// - Parameter name: The name, such as `Todo 2` or `Todo 2.xcdatamodel`.
  /// - Throws: `ModelBundleError` with the nearest name if the version doesn't exist.
  public func version(named name: String) throws(ModelBundleError) -> ModelVersion {
    guard let version = find(versionNamed: name) else { throw .unknownVersion(name, self) }
    return version
  }

  /// Returns whether a version exists.
  package func hasVersion(named name: String) -> Bool { find(versionNamed: name) != nil }

  /// Returns a bundle that also contains a version from elsewhere. The current version doesn't change.
  ///
  /// - Parameter name: A name for the version that the bundle doesn't contain yet.
  package func adding(_ version: ModelVersion, named name: String) -> ModelBundle {
    let added = ModelVersion(name: name, path: version.path, form: version.form)
    return ModelBundle(path: path, name: self.name, versions: [added] + versions, current: current)
  }

  private func find(versionNamed name: String) -> ModelVersion? {
    let stem = ModelPath.stem(of: FilePath(name), without: ModelPath.versionExtensions)
    return versions.first { $0.name.isExactly(stem) }
  }

  /// - Parameter migrations: The pairs of versions with a definition.
  package func order(by migrations: [VersionJump]) -> VersionOrder {
    VersionOrder(
      of: versions.map(\.name), current: currentVersion?.name, migrations: migrations)
  }

  /// The folder `Migrations` beside the folder of the model. For `App/Models/Todo.xcdatamodeld`, it is
  /// `App/Migrations`. For a model in the working directory, it is in the working directory, too.
  package var defaultMigrationsFolder: FilePath { Self.defaultMigrationsFolder(ofModelAt: path) }

  package static func defaultMigrationsFolder(ofModelAt path: FilePath) -> FilePath {
    let models = tidy(ModelPath.folder(of: bundlePath(path)))
    // The path doesn't contain the name of `..`, so that the folder beside it is unknown.
    let parent = ModelPath.name(of: models) == ".." ? models : ModelPath.folder(of: models)
    return ModelPath.join(tidy(parent), "Migrations")
  }

  /// Returns the path of the bundle for the path of the bundle, a version, or a file in it.
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

  /// Removes trailing slashes. `.` becomes the empty path.
  private static func tidy(_ path: FilePath) -> FilePath {
    var path = path
    while path.hasSuffix("/"), path != "/" { path = path.dropLast() }
    return path == "." ? "" : path
  }

  /// Determines the current version of a bundle's folder. A single version doesn't require a declaration, and an
  /// invalid declaration is ignored.
  static func current(
    of versions: [ModelVersion], in folder: FilePath
  ) throws(ModelBundleError) -> Current {
    if versions.count == 1 { return .only(versions[0]) }
    // Xcode's file has priority, because a compiled version in its bundle is older.
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
  ///   - bytes: The content of the file with the declaration.
  ///   - file: The path of this file.
  ///   - spelling: Returns the path of a version as spelled in the bundle.
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
    // On macOS, Git changes the Unicode normalization of the folder's name, but not of the declaration. Other versions
    // of the bundle can't have an equal name.
    return versions.first { $0.name == stem }.map(Current.declared) ?? .missing(declared)
  }

  /// A file of a bundle that specifies the current version.
  enum Declaration: String, CaseIterable {
    case xcode = ".xccurrentversion"
    case compiler = "VersionInfo.plist"

    /// - Throws: `PropertyListError` or a decoding error if the bytes aren't such a property list.
    func version(in bytes: [UInt8]) throws -> String? {
      switch self {
      case .xcode: try ModelBundle.currentVersion(declaredIn: bytes)
      case .compiler: try VersionInfo(bytes).currentVersion
      }
    }
  }

  /// Returns the file name of the version that an `.xccurrentversion` specifies, if it does.
  ///
  /// - Throws: `PropertyListError` or a decoding error if the bytes aren't such a property list.
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
