import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreMigration
import StoreModel
import StoreModelReader
import StoreVerification

/// Which model a store is of: one that is given; one at hand that has the store's version hashes; the one that the
/// store carries; last the one that its tables show.
extension Workspace {
  /// - Throws: `DiscoveryError.severalModelsFit`, `UnknownVersion` for a model that is given; what reading throws.
  func model(of store: Store) throws -> FoundModel {
    do {
      return try match(store, with: versions())
    } catch is UnknownVersion where readsClosest {
      let found = try closestModel(to: store)
      Terminal.report(found.notes)
      return found
    } catch let error as any DiagnosableError where leavesModelOpen(error) {
      let own = try OwnModel(of: store)
      Terminal.report(own.notes(because: error.diagnostics[0]))
      return own.found
    }
  }

  /// Of several stores those that a model at hand has written; where none is at hand, each with its own model.
  func candidates(of stores: [Store]) throws -> [Candidate] {
    let versions: [VersionsAtHand]
    do {
      versions = try self.versions()
    } catch let error as any DiagnosableError where leavesModelOpen(error) {
      return stores.compactMap { store in
        // What is too damaged for it says so.
        guard let own = Self.ownModel(of: store) else { return nil }
        var found = own.found
        found.notes = own.notes(because: error.diagnostics[0])
        return (store, found)
      }
    }
    return try stores.compactMap { try candidate($0, versions) }
  }

  /// One that no model fits is simply not the one that is meant.
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

  /// The model version at hand that wrote the store.
  ///
  /// - Throws: `DiscoveryError.severalModelsFit`; `UnknownVersion` with what differs.
  func match(_ store: Store, with versions: [VersionsAtHand]) throws -> FoundModel {
    let (found, matcher) = try matches(store, with: versions)
    guard let only = found.first else { throw advising(UnknownVersion(store, matcher)) }
    guard found.count == 1 else {
      throw DiscoveryError.severalModelsFit(store: store.path, found.map(\.bundle.path))
    }
    return only
  }

  /// What a store is migrated from: the version at hand that wrote it, else, where there is one bundle, the model that
  /// the store carries.
  ///
  /// - Parameter takesNewer: whether the carried model may be newer than the bundle.
  /// - Throws: `DiscoveryError.severalModelsFit`; `UnknownVersion` with what differs.
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

  private func matches(
    _ store: Store, with versions: [VersionsAtHand]
  ) throws -> (found: [FoundModel], VersionMatcher) {
    var matcher = VersionMatcher(hashes: store.metadata.hashes, versionName: named.modelVersion)
    let found = try versions.compactMap { versions in
      try matcher.match(in: versions.hashed).map { try FoundModel($0, of: versions) }
    }
    // A compiled model beside the XML that it was made from says nothing else.
    let written = found.filter { $0.version.form == .xml }
    return (written.isEmpty ? found : written, matcher)
  }

  /// Whether the user names the model or its version, so that no other will do.
  var isGiven: Bool { modelPath != nil || named.modelVersion != nil }

  /// Whether an error says that none of the models at hand is the store's, where the user has given none.
  private func leavesModelOpen(_ error: any DiagnosableError) -> Bool {
    guard !isGiven else { return false }
    switch error {
    case DiscoveryError.noModel, ModelBundleError.noModel, is UnknownVersion: return true
    default: return false
    }
  }
}

/// A write by a model that only the store's tables show.
struct InferredModelError: DiagnosableError {
  let store: FilePath

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "model.inferred",
        "'\(store)' can only be read without its model: a write could break rules that its tables don't contain "
          + "(required properties, delete rules, validation and exact types)"
      ).helping("specify the model that wrote it: --model App.xcdatamodeld")
    ]
  }
}
