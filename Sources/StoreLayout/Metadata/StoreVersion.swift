import StoreDiagnostics
package import StoreModel

/// A version of a model, or one of its configurations, that may have written a store.
package struct VersionCandidate: Hashable, Sendable {
  /// The name for messages, such as `Todo 2`.
  package var name: String
  package var configuration: String?
  /// The version hashes of 32 bytes, by the entity's name.
  package var hashes: [String: [UInt8]]

  /// The name for messages, such as `'Todo 2'` or `'Todo 2', configuration 'Local'`.
  package var quotedName: String {
    "'\(name)'" + (configuration.map { ", configuration '\($0)'" } ?? "")
  }
}

extension VersionCandidate {
  /// Returns the whole model, then each configuration that doesn't contain all entities. A store of a configuration
  /// contains only its entities.
  package static func all(of model: DataModel, name: String? = nil) -> [VersionCandidate] {
    let name = name ?? model.name
    let whole = VersionCandidate(name: name, hashes: VersionHash.hashes(of: model))
    let parts = model.configurations.map { part in
      let entities = Set(part.entities)
      return VersionCandidate(
        name: name, configuration: part.name,
        hashes: whole.hashes.filter { entities.contains($0.key) })
    }
    return [whole] + parts.filter { !$0.fits(whole.hashes) }
  }

  /// Returns whether a store with these version hashes has this version. Both must have the same entity names, byte by
  /// byte, with the same hashes.
  package func fits(_ stored: [String: [UInt8]]) -> Bool { hashes.areExactly(stored) }
}

extension [String: [UInt8]] {
  /// Returns whether both have the same names, byte by byte, with the same hashes.
  package func areExactly(_ other: [String: [UInt8]]) -> Bool {
    count == other.count && ExactDictionary(self) == ExactDictionary(other)
  }
}

/// A difference between a store and a model in one entity.
package enum EntityDifference: Hashable, Sendable {
  case onlyInStore(String)
  case onlyInModel(String)
  /// The entity is in both with different hashes, so its properties differ.
  case changed(String)

  package var entity: String {
    switch self {
    case .onlyInStore(let name), .onlyInModel(let name), .changed(let name): name
    }
  }
}

/// The version of a model that wrote a store, according to its entity hashes.
package enum StoreVersion: Hashable, Sendable {
  /// The indices of the candidates that match, in their order. There is at least one, and several versions can have
  /// equal hashes.
  case known([Int])
  case unknown(VersionGap)

  package init(of hashes: [String: [UInt8]], among candidates: [VersionCandidate]) {
    let fitting = candidates.indices.filter { candidates[$0].fits(hashes) }
    self =
      fitting.isEmpty ? .unknown(VersionGap(of: hashes, among: candidates)) : .known(fitting)
  }
}
