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
}
