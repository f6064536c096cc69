package import StoreModel

/// The hashes by which a store knows the model that wrote it: one of 32 bytes for each entity.
///
/// The format is in `docs/formats/version-hashes.md`. Equal hashes mean that Core Data's own
/// frameworks take a store for one of this model.
package enum VersionHash {
  /// The hash of every entity, by name.
  package static func hashes(of model: Model) -> [String: [UInt8]] {
    hashes(of: model.entities.map(\.name), in: model)
  }

  /// The hashes that a store of one configuration carries: those of its members.
  package static func hashes(of configuration: Configuration, in model: Model)
    -> [String: [UInt8]]
  {
    hashes(of: configuration.entities, in: model)
  }

  private static func hashes(of names: [String], in model: Model) -> [String: [UInt8]] {
    var hasher = EntityHasher(model: model)
    var hashes: [String: [UInt8]] = [:]
    for entity in names.compactMap(model.entity(named:)) {
      hashes[entity.name] = hasher.hash(of: entity)
    }
    return hashes
  }
}
