import StoreDiagnostics
package import StoreModel

/// A model version, or one configuration of it, that a store may have been written with.
package struct VersionCandidate: Hashable, Sendable {
  /// As the user knows it: `Todo 2`.
  package var name: String
  package var configuration: String?
  /// Entity name to 32 bytes.
  package var hashes: [String: [UInt8]]

  package init(name: String, configuration: String? = nil, hashes: [String: [UInt8]]) {
    self.name = name
    self.configuration = configuration
    self.hashes = hashes
  }

  /// For messages: `'Todo 2'`, `'Todo 2', configuration 'Local'`.
  package var quotedName: String {
    "'\(name)'" + (configuration.map { ", configuration '\($0)'" } ?? "")
  }
}

extension VersionCandidate {
  /// The model as a whole, then each of its configurations: a store that was written through one
  /// lists only its entities.
  package static func all(of model: Model, name: String? = nil) -> [VersionCandidate] {
    let name = name ?? model.name
    let whole = VersionCandidate(name: name, hashes: VersionHash.hashes(of: model))
    let parts = model.configurations.map { part in
      VersionCandidate(
        name: name, configuration: part.name,
        hashes: whole.hashes.filter { part.entities.contains($0.key) })
    }
    return [whole] + parts.filter { !$0.fits(whole.hashes) }
  }

  /// Whether a store with these version hashes is one of this version: it has the same entities, byte by
  /// byte, with the same hashes.
  package func fits(_ stored: [String: [UInt8]]) -> Bool { hashes.areExactly(stored) }
}

extension [String: [UInt8]] {
  /// Whether both have the same names, byte by byte, with the same hashes.
  package func areExactly(_ other: [String: [UInt8]]) -> Bool {
    count == other.count && ExactDictionary(self) == ExactDictionary(other)
  }
}

/// How an entity of a store and of a model differ.
package enum EntityDifference: Hashable, Sendable {
  case onlyInStore(String)
  case onlyInModel(String)
  /// In both, with other hashes: its properties differ.
  case changed(String)

  package var entity: String {
    switch self {
    case .onlyInStore(let name), .onlyInModel(let name), .changed(let name): name
    }
  }

  package var sentence: String {
    switch self {
    case .onlyInStore(let name): "\(name): only in the store"
    case .onlyInModel(let name): "\(name): only in the model"
    case .changed(let name): "\(name): in both, with different hashes"
    }
  }
}

/// Which model version wrote a store: the one whose entity hashes the store carries.
package enum StoreVersion: Hashable, Sendable {
  /// Indexes of the candidates that fit, in their order; at least one. Several versions of a model
  /// can have equal hashes.
  case known([Int])
  case unknown(VersionGap)

  package init(of hashes: [String: [UInt8]], among candidates: [VersionCandidate]) {
    let fitting = candidates.indices.filter { candidates[$0].fits(hashes) }
    guard fitting.isEmpty else {
      self = .known(fitting)
      return
    }
    self = .unknown(VersionGap(of: hashes, among: candidates))
  }
}
