import StoreLayout
import StoreModel

/// A key that the caller gives an entity for one import: `Player.name,born`.
package struct ImportKeyChoice: Hashable, Sendable {
  package let entity: String
  let attributes: [String]

  /// Nil for a text of another form.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let names = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains(""), Set(names).count == names.count else { return nil }
    entity = String(parts[0])
    attributes = names
  }

  /// - Throws: `ModelLookupError`, `ImportError.badKey` for a name that is none of a stored attribute.
  func check(in model: Model) throws {
    let entity = try model.requireEntity(named: entity)
    let stored = model.storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name)
    for name in attributes where !stored.contains(name) {
      throw ImportError.badKey(name, entity: entity.name, known: stored)
    }
  }
}
