import StoreLayout
package import StoreModel

/// What has changed from one version of a model to another, as values.
///
/// Entities and properties are matched by `ModelPairing`. A change of something that an entity
/// inherits stands with the entity that declares it. What an added entity brings along is not listed.
package struct ModelDiff: Hashable, Sendable {
  package let pairing: ModelPairing
  /// By entity; what belongs to the whole model comes last.
  package let changes: [ModelChange]

  package var source: Model { pairing.source }
  package var target: Model { pairing.target }

  package init(from source: Model, to target: Model) {
    pairing = ModelPairing(from: source, to: target)
    let found = ModelComparison(pairing).changes()
    // Names that are exchanged leave the hashes as they are.
    let isSame = ModelFingerprint(of: source).hashes == ModelFingerprint(of: target).hashes
    changes = isSame ? found.map { $0.effect == .hash ? ModelChange($0.kind, .none) : $0 } : found
  }

  /// The hardest of all changes decides what a migration must be able to do.
  package var difficulty: ModelChange.Difficulty {
    changes.map(\.difficulty).max() ?? .nothing
  }

  /// Whether stores of the one version are no stores of the other.
  package var needsMigration: Bool { changes.contains { $0.effect == .hash } }

  /// What is inferred where no definition says more.
  package var inferredMapping: ModelMapping { MappingInference.infer(pairing) }
}

extension ModelMapping {
  /// What a store of the source may hold and the target has no place for, by name: `Item.note`, or
  /// `Item` for its rows.
  ///
  /// - Throws: `CheckErrors` for a filter of a definition that does not fit the source.
  package func possibleLosses() throws -> [String] {
    let (old, new) = (StoreLayout(model: source), StoreLayout(model: target))
    let keys = KeyMap(
      transfers: EntityTransfers(self, from: old, to: new), source: old, target: new)
    var seen: Set<String> = []
    return try LossFinder(self, keys, []).losses().map(\.name).filter { seen.insert($0).inserted }
  }
}
