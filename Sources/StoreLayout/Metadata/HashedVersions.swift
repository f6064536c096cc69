import StoreDiagnostics
package import StoreModel
import Synchronization

/// The versions of one model, each hashed once, when it is first asked for.
package final class HashedVersions: Sendable {
  package let source: any VersionSource
  private let candidates = Mutex<ExactDictionary<[VersionCandidate]>>([:])

  package init(_ source: any VersionSource) {
    self.source = source
  }

  /// What stores of a version carry: the version as a whole, then each of its configurations.
  ///
  /// - Throws: what reading the version throws.
  package func candidates(of name: String) throws -> [VersionCandidate] {
    if let known = candidates.withLock({ $0[name] }) { return known }
    let found = VersionCandidate.all(of: try source.model(of: name), name: name)
    candidates.withLock { $0[name] = found }
    return found
  }

  /// What the metadata of a store of a version say.
  ///
  /// - Parameter configuration: the only one that is in the store, by its name; nil for all, as is one that
  ///   the version does not have.
  /// - Throws: what reading the version throws.
  package func fingerprint(
    of name: String, configuration: String? = nil
  ) throws -> ModelFingerprint {
    let candidates = try candidates(of: name)
    // A configuration of all entities is no candidate beside the whole.
    let candidate = candidates.first { $0.configuration.isExactly(configuration) } ?? candidates[0]
    return ModelFingerprint(of: try source.model(of: name), hashes: candidate.hashes)
  }

  /// A version as far as it lies in a store.
  ///
  /// - Parameter configuration: as above.
  /// - Throws: what reading the version throws.
  package func model(of name: String, in configuration: String?) throws -> Model {
    let model = try source.model(of: name)
    return model.limited(to: model.configurations.first { $0.name.isExactly(configuration) })
  }
}
