package import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The version hashes, by which a store identifies its model: 32 bytes for each entity.
///
/// `docs/formats/version-hashes.md` describes the format. If the hashes are equal, Core Data accepts a store for the
/// model.
package enum VersionHash {
  /// Returns the hashes of all entities, by the entity's name.
  package static func hashes(of model: DataModel) -> [String: [UInt8]] {
    hashes(of: model.entities.map(\.name), in: model)
  }

  /// Returns the hashes of a configuration's entities, by the entity's name. A store of the configuration contains only
  /// these.
  package static func hashes(of configuration: ConfigurationDescription, in model: DataModel)
    -> [String: [UInt8]]
  {
    hashes(of: configuration.entities, in: model)
  }

  private static func hashes(of names: [String], in model: DataModel) -> [String: [UInt8]] {
    var hasher = EntityHasher(model: model)
    return names.compactMap(model.entity(named:)).reduce(into: [:]) { hashes, entity in
      hashes[entity.name] = hasher.hash(of: entity)
    }
  }
}

/// Computes the hashes of a model's entities. A parent's hash is a part of its subentities' hashes.
struct EntityHasher {
  let model: DataModel
  private(set) var finished: [String: [UInt8]] = [:]

  /// entity = SHA256( name ‖ isAbstract ‖ parent? ‖ properties ‖ modifier? ‖ constraints )
  mutating func hash(of entity: EntityDescription) -> [UInt8] {
    if let hash = finished[entity.name] { return hash }
    var input = HashInput()
    input.append(entity.name)
    input.append(UInt8(entity.isAbstract ? 1 : 0))
    if let parent = entity.parent.flatMap(model.entity(named:)) { input.append(hash(of: parent)) }
    for property in storedProperties(of: entity) { input.append(property.hash) }
    if let modifier = entity.versionHashModifier { input.append(modifier) }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted(by: { $0.precedes($1) }) { input.append(constraint) }
    let hash = input.sha256
    finished[entity.name] = hash
    return hash
  }

  /// Returns the names and hashes of the stored attributes and relationships, including inherited ones, sorted by name.
  private func storedProperties(of entity: EntityDescription) -> [(name: String, hash: [UInt8])] {
    let owners = [entity] + model.ancestors(of: entity)
    let attributes = owners.flatMap(\.attributes).filter { !$0.isTransient }
      .map { ($0.name, PropertyHash.of($0)) }
    let relationships = owners.flatMap { owner in
      owner.relationships.filter { !$0.isTransient }.map {
        // The name of a relationship that is its own inverse isn't hashed again.
        let inverse = isOwnInverse($0, declaredBy: owner) ? nil : $0.inverse
        return ($0.name, PropertyHash.of($0, inverse: inverse))
      }
    }
    return (attributes + relationships).sorted { $0.0.precedes($1.0) }
  }

  func isOwnInverse(_ relationship: RelationshipDescription, declaredBy owner: EntityDescription)
    -> Bool
  {
    guard relationship.inverse == relationship.name else { return false }
    return model.inverse(of: relationship)?.declaredBy.name == owner.name
  }
}

/// The two checksums of all entity hashes. Newer versions of Core Data add them to the metadata of a store.
package enum StoreChecksum {
  /// Returns `NSStoreModelVersionHashesDigest`: SHA-512 of the names and hashes of all entities, as base64.
  package static func digest(of hashes: [String: [UInt8]]) -> String {
    var input = HashInput()
    for name in hashes.keys.sorted(by: { $0.precedes($1) }) {
      input.append(name)
      input.append(hashes[name] ?? [])
    }
    return Data(input.sha512).base64EncodedString()
  }

  /// Returns `NSStoreModelVersionChecksumKey`: SHA-256 of the hashes, as base64.
  package static func checksum(of hashes: [String: [UInt8]]) -> String {
    var input = HashInput()
    for name in hashes.keys.sorted(by: { $0.precedes($1) }) { input.append(hashes[name] ?? []) }
    return Data(input.sha256).base64EncodedString()
  }
}
