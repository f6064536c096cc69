import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreMigration
import StoreModel
import StoreModelReader
import StoreVerification

/// Functions that find the model of a store.
///
/// If the user specifies a model, its versions are the only candidates. Otherwise the candidates are the available
/// models, then the model that the store contains, then a model inferred from its tables.
extension Workspace {
  /// Returns the model of a store.
  ///
  /// - Throws: `DiscoveryError.severalModelsFit`, `UnknownVersion` if the user specifies a model with other hashes, or
  ///   an error of reading a model.
  func model(of store: Store) throws -> FoundModel {
    do {
      return try match(store, with: versions())
    } catch is UnknownVersion where readsClosest {
      let found = try closestModel(to: store)
      Terminal.report(found.notes)
      return found
    } catch let error as any DiagnosableError where leavesModelOpen(error) {
      let own = try OwnModel(of: store)
      Terminal.report(own.notes(because: Self.reason(of: error)))
      return own.found
    }
  }

  /// Returns each store that an available version wrote, with this version. With `--closest`, a store of an unknown but
  /// similar version is returned with the closest version. If no models are available, each readable store is returned
  /// with the model that it provides (see `OwnModel`).
  func candidates(of stores: [Store]) throws -> [Candidate] {
    let versions: [VersionsAtHand]
    do {
      versions = try self.versions()
    } catch let error as any DiagnosableError where leavesModelOpen(error) {
      return stores.compactMap { store in
        // `ownModel` has reported the error if the store can't be read.
        guard let own = Self.ownModel(of: store) else { return nil }
        var found = own.found
        found.notes = own.notes(because: Self.reason(of: error))
        return (store, found)
      }
    }
    return try stores.compactMap { try candidate($0, versions) }
  }

  /// Returns the store with the version that wrote it or, with `--closest`, with the closest version; nil if neither is
  /// available, because the user then probably intends another store.
  private func candidate(_ store: Store, _ versions: [VersionsAtHand]) throws -> Candidate? {
    let (matches, matcher) = try matches(store, with: versions)
    guard !matcher.readNothing else { throw UnknownVersion(store, matcher) }
    guard matches.count <= 1 else {
      throw DiscoveryError.severalModelsFit(store: store.path, matches.map(\.bundle.path))
    }
    if matches.isEmpty, readsClosest {
      do {
        return (store, try closestModel(to: store))
      } catch is UnknownVersion {
        return nil
      }
    }
    return matches.first.map { (store, $0) }
  }

  /// Returns the available model version that wrote the store.
  ///
  /// - Throws: `DiscoveryError.severalModelsFit`, or `UnknownVersion` with the differences from the closest version.
  func match(_ store: Store, with versions: [VersionsAtHand]) throws -> FoundModel {
    let (found, matcher) = try matches(store, with: versions)
    guard let only = found.first else {
      let others = try allVersions(of: store, in: versions)
      throw advising(UnknownVersion(store, matcher, others: others))
    }
    guard found.count == 1 else {
      throw DiscoveryError.severalModelsFit(store: store.path, found.map(\.bundle.path))
    }
    return only
  }

  /// Returns the source of a migration: the available version that wrote the store, otherwise, if there is only one
  /// bundle and the user doesn't specify a version, the model that the store contains.
  ///
  /// - Parameter takesNewer: Whether the model in the store may be newer than all versions of the bundle.
  /// - Throws: `DiscoveryError.severalModelsFit`, or `UnknownVersion` with the differences from the closest version.
  func source(
    of store: Store, takesNewer: Bool
  ) throws -> (source: SourceVersion, bundle: ModelBundle) {
    let versions = try self.versions()
    do {
      let found = try match(store, with: versions)
      let source = SourceVersion(
        found.version.name, configuration: found.configuration?.name, in: found.versions.hashed)
      return (source, found.bundle)
    } catch let error as UnknownVersion where versions.count == 1 && named.modelVersion == nil {
      let source = try SourceVersion(
        carriedBy: store, beside: versions[0].hashed, because: error, takesNewer: takesNewer)
      return (source, versions[0].bundle)
    }
  }

  /// Returns a matcher that has compared the store with all versions, not only the specified one, until one matched;
  /// nil if the user doesn't specify a version.
  private func allVersions(
    of store: Store, in versions: [VersionsAtHand]
  ) throws -> VersionMatcher? {
    guard named.modelVersion != nil else { return nil }
    var matcher = VersionMatcher(hashes: store.metadata.hashes)
    for versions in versions {
      if try matcher.match(in: versions.hashed) != nil { break }
    }
    return matcher
  }

  private func matches(
    _ store: Store, with versions: [VersionsAtHand]
  ) throws -> (found: [FoundModel], VersionMatcher) {
    var matcher = VersionMatcher(hashes: store.metadata.hashes, versionName: named.modelVersion)
    let found = try versions.compactMap { versions in
      try matcher.match(in: versions.hashed).map { try FoundModel($0, of: versions) }
    }
    // Compiled versions are ignored if XML versions match, because they were probably compiled from the XML versions.
    let written = found.filter { $0.version.form == .xml }
    return (written.isEmpty ? found : written, matcher)
  }

  /// Whether the user specifies a model or a version. The model that the store provides isn't used then.
  var isGiven: Bool { modelPath != nil || named.modelVersion != nil }

  /// Returns the first diagnostic that is an error, because notes may precede it.
  private static func reason(of error: any DiagnosableError) -> DiagnosticMessage {
    error.diagnostics.first { $0.severity == .error } ?? error.diagnostics[0]
  }

  /// Returns whether the store's own model can be used after an error: no available model fits the store, and the user
  /// doesn't specify a model.
  private func leavesModelOpen(_ error: any DiagnosableError) -> Bool {
    guard !isGiven else { return false }
    switch error {
    case DiscoveryError.noModel, ModelBundleError.noModel, is UnknownVersion: return true
    default: return false
    }
  }
}
