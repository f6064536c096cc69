import StoreLayout
package import StoreModel

/// The changes between two versions of a model.
///
/// `ModelPairing` matches entities and properties. A change of an inherited property belongs to the entity that
/// declares it. The properties of an added entity aren't listed.
package struct ModelDiff: Hashable, Sendable {
  package let pairing: ModelPairing
  /// The changes, sorted by the entity's name. Changes of the whole model are last.
  package let changes: [ModelChange]

  package var source: DataModel { pairing.source }
  package var target: DataModel { pairing.target }

  package init(from source: DataModel, to target: DataModel) {
    pairing = ModelPairing(from: source, to: target)
    let found = ModelComparison(pairing).changes()
    // If names were only swapped, the version hashes are equal, so a migration isn't required.
    let isSame = ModelFingerprint(of: source).hashes == ModelFingerprint(of: target).hashes
    changes = isSame ? found.map { $0.effect == .hash ? ModelChange($0.kind, .none) : $0 } : found
  }

  /// The difficulty of the hardest change.
  package var difficulty: ModelChange.Difficulty {
    changes.map(\.difficulty).max() ?? .nothing
  }

  /// Whether a store of one version must be migrated to the other.
  package var needsMigration: Bool { changes.contains { $0.effect == .hash } }

  /// The mapping that is inferred without a definition.
  package var inferredMapping: ModelMapping { MappingInference.infer(pairing) }
}

extension ModelMapping {
  /// Returns the names of the values and rows that stores of the source may contain and the target can't represent,
  /// such as `Item.note`, or `Item` for rows.
  ///
  /// - Throws: `CheckErrors` if a filter of a definition doesn't match the source.
  package func possibleLosses() throws -> [String] {
    let (old, new) = (StoreLayout(model: source), StoreLayout(model: target))
    let keys = KeyMap(
      transfers: EntityTransfers(self, from: old, to: new), source: old, target: new)
    var seen: Set<String> = []
    return try LossFinder(mapping: self, keys: keys, oneToOnes: []).losses().map(\.name)
      .filter { seen.insert($0).inserted }
  }
}
