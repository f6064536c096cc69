public import StoreDiagnostics

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
}
