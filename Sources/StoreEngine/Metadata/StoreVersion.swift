import ModelHashing
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
    return [whole] + parts.filter { $0.hashes != whole.hashes }
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
    case .changed(let name): "\(name): in both, but not equal"
    }
  }
}

/// Which model version wrote a store: the one whose entity hashes the store carries.
package enum StoreVersion: Hashable, Sendable {
  /// Indexes of the candidates that fit, in their order; at least one. Several versions of a model
  /// can have equal hashes.
  case known([Int])
  /// The index of the candidate with the fewest differences, nil without candidates.
  case unknown(closest: Int?, differences: [EntityDifference])

  package init(of hashes: [String: [UInt8]], among candidates: [VersionCandidate]) {
    let fitting = candidates.indices.filter { candidates[$0].hashes == hashes }
    guard fitting.isEmpty else {
      self = .known(fitting)
      return
    }
    let ranked = candidates.indices.map { index in
      (index, Self.differences(from: hashes, to: candidates[index].hashes))
    }
    // Later versions are the likelier ones where two are equally close.
    let best = ranked.reversed().min { $0.1.count < $1.1.count }
    self = .unknown(closest: best?.0, differences: best?.1 ?? [])
  }

  /// By entity name.
  package static func differences(
    from store: [String: [UInt8]], to model: [String: [UInt8]]
  ) -> [EntityDifference] {
    Set(store.keys).union(model.keys).sorted { $0.precedes($1) }.compactMap { entity in
      switch (store[entity], model[entity]) {
      case (_?, nil): .onlyInStore(entity)
      case (nil, _?): .onlyInModel(entity)
      case (let old, let new): old == new ? nil : .changed(entity)
      }
    }
  }
}
