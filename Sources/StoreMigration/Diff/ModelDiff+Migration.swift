import StoreLayout
import StoreModel

extension ModelDiff {
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
