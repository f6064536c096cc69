import StoreDiagnostics
package import StoreModel
import Synchronization

/// The versions of a model. The hashes of a version are computed on first use and kept.
package final class HashedVersions: Sendable {
  package let source: any VersionSource
  private let candidates = Mutex<ExactDictionary<[VersionCandidate]>>([:])

  package init(_ source: any VersionSource) {
    self.source = source
  }

  /// Returns the candidates of a version, each with the hashes in a store of the candidate: the whole version, then
  /// each configuration that doesn't contain all entities.
  ///
  /// - Throws: an error of reading the version.
  package func candidates(of name: String) throws -> [VersionCandidate] {
    if let known = candidates.withLock({ $0[name] }) { return known }
    let found = VersionCandidate.all(of: try source.model(of: name), name: name)
    candidates.withLock { $0[name] = found }
    return found
  }

  /// Returns the part of a store's metadata that depends on the version.
  ///
  /// - Parameter configuration: the name of the store's only configuration. If it is nil, or if the version doesn't
  ///   have it, the store contains all entities.
  /// - Throws: an error of reading the version.
  package func fingerprint(
    of name: String, configuration: String? = nil
  ) throws -> ModelFingerprint {
    let candidates = try candidates(of: name)
    // A configuration with all entities isn't a separate candidate, so the whole version is used.
    let candidate = candidates.first { $0.configuration.isExactly(configuration) } ?? candidates[0]
    return ModelFingerprint(of: try source.model(of: name), hashes: candidate.hashes)
  }

  /// Returns the part of a version's model that is in a store.
  ///
  /// - Parameter configuration: the name of the store's only configuration, or nil for all.
  /// - Throws: an error of reading the version.
  package func model(of name: String, in configuration: String?) throws -> DataModel {
    let model = try source.model(of: name)
    return model.limited(to: model.configurations.first { $0.name.isExactly(configuration) })
  }
}
