import ModelArchives
public import StoreDiagnostics
package import StoreModel

/// The versions of one model: an `.xcdatamodeld` bundle, a compiled `.momd`, or a single model.
///
///     let bundle = try ModelBundle(at: "Models/Todo.xcdatamodeld")
///     let current = try bundle.requireCurrentVersion().read().model
///     let all = try bundle.versions.map { try $0.read().model }
public struct ModelBundle: Hashable, Sendable {
  /// The current version of a bundle, and how it was determined.
  package enum Current: Hashable, Sendable {
    /// `.xccurrentversion` or `VersionInfo.plist` specifies the version.
    case declared(ModelVersion)
    /// The bundle has only one version.
    case only(ModelVersion)
    /// The bundle has several versions and doesn't specify the current one.
    case undeclared
    /// The bundle specifies this version, which doesn't exist.
    case missing(String)
    /// The file that specifies the version isn't a valid property list.
    case unreadable(file: LocalPath)
  }

  /// The folder of the bundle, or the file of a single model.
  public let path: LocalPath
  /// The name of the model, such as `Todo` for `Todo.xcdatamodeld`.
  public let name: String
  /// The versions in the natural order of their names, which usually is the order of their creation.
  public let versions: [ModelVersion]
  package let current: Current

  /// The current version, or nil if it can't be determined.
  public var currentVersion: ModelVersion? {
    switch current {
    case .declared(let version), .only(let version): version
    case .undeclared, .missing, .unreadable: nil
    }
  }

  /// Returns the current version.
  ///
  /// - Throws: `ModelBundleError` with the names of the versions if the current version can't be determined.
  public func requireCurrentVersion() throws(ModelBundleError) -> ModelVersion {
    guard let version = currentVersion else { throw .noCurrentVersion(self) }
    return version
  }

  /// Returns the version with a name.
  ///
  /// - Parameter name: The name, such as `Todo 2` or `Todo 2.xcdatamodel`.
  /// - Throws: `ModelBundleError` with the names of the existing versions if the version doesn't exist.
  public func version(named name: String) throws(ModelBundleError) -> ModelVersion {
    guard let version = find(versionNamed: name) else { throw .unknownVersion(name, self) }
    return version
  }

  /// Returns whether a version exists.
  package func hasVersion(named name: String) -> Bool { find(versionNamed: name) != nil }

  /// Returns a bundle with `version` before its own versions. The current version doesn't change.
  ///
  /// - Parameter name: The name of the added version. The bundle must not contain a version with this name yet.
  package func adding(_ version: ModelVersion, named name: String) -> ModelBundle {
    let added = ModelVersion(name: name, path: version.path, form: version.form)
    return ModelBundle(path: path, name: self.name, versions: [added] + versions, current: current)
  }

  private func find(versionNamed name: String) -> ModelVersion? {
    let stem = ModelPath.stem(of: LocalPath(name), without: ModelPath.versionExtensions)
    return versions.first { $0.name.isExactly(stem) }
  }

  /// Returns the versions in order, from old to new.
  ///
  /// - Parameter migrations: The pairs of versions between which a migration definition exists.
  package func order(by migrations: [VersionJump]) -> VersionOrder {
    VersionOrder(
      of: versions.map(\.name), current: currentVersion?.name, migrations: migrations)
  }

  /// The folder `Migrations` beside the folder that contains the model. For `App/Models/Todo.xcdatamodeld`, it is
  /// `App/Migrations`. For a model in the working directory, it is `Migrations` in the working directory.
  package var defaultMigrationsFolder: LocalPath { Self.defaultMigrationsFolder(ofModelAt: path) }

  package static func defaultMigrationsFolder(ofModelAt path: LocalPath) -> LocalPath {
    let models = tidy(ModelPath.folder(of: bundlePath(path)))
    // The parent of `..` can't be derived from the text of the path. In this case, `Migrations` is expected in `..`.
    let parent = ModelPath.name(of: models) == ".." ? models : ModelPath.folder(of: models)
    return tidy(parent).appending("Migrations")
  }

  /// Returns the outermost `.xcdatamodeld` or `.xcdatamodel` folder that contains `path`, or `path` if it isn't in such
  /// a folder.
  private static func bundlePath(_ path: LocalPath) -> LocalPath {
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
  private static func tidy(_ path: LocalPath) -> LocalPath {
    var path = path
    while path.hasSuffix("/"), path != "/" { path = path.dropLast() }
    return path == "." ? "" : path
  }

  /// Determines the current version of the bundle in a folder. If there is only one version, it is the current version,
  /// and no file is read.
  static func current(
    of versions: [ModelVersion], in folder: LocalPath
  ) throws(ModelBundleError) -> Current {
    if versions.count == 1 { return .only(versions[0]) }
    // `.xccurrentversion` has priority, because a `VersionInfo.plist` in the same bundle is from an older build.
    for declaration in Declaration.allCases {
      let file = folder.appending(LocalPath(declaration.rawValue))
      guard file.kind == .file else { continue }
      return current(of: versions, by: declaration, in: try ModelPath.bytes(of: file), file: file) {
        folder.appending($0).spelled
      }
    }
    return .undeclared
  }

  /// Returns the current version that a declaration specifies.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file with the declaration.
  ///   - file: The path of this file.
  ///   - spelling: Returns the file name of a version in the spelling of the file system.
  static func current(
    of versions: [ModelVersion], by declaration: Declaration, in bytes: [UInt8], file: LocalPath,
    spelling: (LocalPath) -> LocalPath = { $0 }
  ) -> Current {
    let declared: String?
    do {
      declared = try declaration.version(in: bytes)
    } catch {
      return .unreadable(file: file)
    }
    guard let declared else { return .undeclared }
    let stem = ModelPath.stem(
      of: spelling(LocalPath(declared)), without: ModelPath.versionExtensions)
    // On macOS, Git changes the Unicode normalization of the folder's name, but not of the declaration. `==` ignores
    // the normalization, and is unambiguous, because the versions of a bundle never have equal names.
    return versions.first { $0.name == stem }.map(Current.declared) ?? .missing(declared)
  }

  /// A file of a bundle that specifies the current version.
  enum Declaration: String, CaseIterable {
    case xcode = ".xccurrentversion"
    case compiler = "VersionInfo.plist"

    /// Returns the name of the current version, with or without its extension, or nil if the declaration doesn't
    /// specify one.
    ///
    /// - Throws: `PropertyListError` or a decoding error if the bytes aren't such a property list.
    func version(in bytes: [UInt8]) throws -> String? {
      switch self {
      case .xcode: try ModelBundle.currentVersion(declaredIn: bytes)
      case .compiler: try VersionInfo(bytes).currentVersion
      }
    }
  }

  /// Returns the file name of the version that an `.xccurrentversion` specifies, or nil if it doesn't specify one.
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
