/// What helps where a store does not get to another version as it is asked to.
public enum MigrationRemedy: Hashable, Sendable {
  /// Allow what has these names to be dropped: `Item`, `Item.note`.
  case allowLoss([String])
  /// Allow the loss of pairs, or say in a definition which rows of the source entity go.
  case allowSharedLoss(String, sourceEntity: String)
  /// Put the backup elsewhere, or make none.
  case moveBackup
  /// Name a version to pass.
  case passVersion(String)
  /// Take the straight path, past all definitions.
  case goStraight
  /// Name only versions that lie between both ends, each once.
  case passVersionsBetween
  /// The model that a store carries is migrated past all definitions: name versions to pass.
  case passVersionsOfCarried
  /// Begin a definition between two versions from its skeleton.
  case writeDefinition
  /// Say in a definition what the app's code does with the rows of the entity.
  case defineEntity(String)
}

extension MigrationRemedy {
  var sentence: String {
    switch self {
    case .allowLoss(let names):
      "allow the loss of \(names.map { "'\($0)'" }.joined(separator: ", ")) to drop it"
    case .allowSharedLoss(let loss, let source):
      """
      allowing the loss of '\(loss)' leaves each destination to the row with the lowest key; or say \
      in a definition which rows go: <drop entity="\(source)" where="…"/>
      """
    case .moveBackup: "put the backup elsewhere, or make none"
    case .passVersion(let version): "or choose the path: by '\(version)'"
    case .goStraight: "choose another one: the straight one leads past all definitions"
    case .passVersionsBetween:
      "choose only versions between the store's and the target, each once"
    case .passVersionsOfCarried: "no definition is passed: name the versions to go over"
    case .writeDefinition: "begin with the skeleton of a definition between both versions"
    case .defineEntity(let entity):
      "say in a migration file what it does: <entity name=\"\(entity)\">"
    }
  }
}
