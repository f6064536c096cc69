/// What to do about a diagnostic.
///
/// A library knows what helps, not what the user's interface calls it: an option, a parameter, a button.
/// So it says it as data, and a `DiagnosticWording` has the words.
public enum Remedy: Hashable, Sendable {
  /// A sentence that names nothing of an interface.
  case text(String)
  case model(ModelRemedy)
  case store(StoreRemedy)
  case request(RequestRemedy)
  case importing(ImportRemedy)
  case migration(MigrationRemedy)
}

extension Remedy: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self = .text(text) }
}

extension Remedy: CustomStringConvertible {
  /// In words that fit every interface.
  public var description: String {
    switch self {
    case .text(let text): text
    case .model(let remedy): remedy.sentence
    case .store(let remedy): remedy.sentence
    case .request(let remedy): remedy.sentence
    case .importing(let remedy): remedy.sentence
    case .migration(let remedy): remedy.sentence
    }
  }
}

/// What helps where a store, or something in it, is missing or wrong.
public enum StoreRemedy: Hashable, Sendable {
  /// Make an empty store at the path.
  case create(path: String)
  /// Let missing tables and columns be made anew.
  case repair
  /// Verify it, to see which values are wrong.
  case verify
  /// Let rules be proposed for an anonymized copy.
  case proposeRules
  /// Say whether what is not of the model is kept or dropped.
  case chooseOtherContent
  /// Put in place what a symbolic link leads to, or migrate without a backup.
  case replaceLink
  /// Give a property of the row another value, or one at all where `isMissing`.
  case setValue(entity: String, property: String, objectID: String, isMissing: Bool)

  var sentence: String {
    switch self {
    case .create(let path): "create an empty store at '\(path)' first"
    case .repair: "a repair makes what can be made; verifying the store names the rest"
    case .verify: "verifying the store says which values are wrong"
    case .proposeRules: "rules to begin with can be proposed"
    case .chooseOtherContent: "say whether it is to be kept or dropped"
    case .replaceLink:
      "put the folder or the file itself there; a migration without a backup makes no copy"
    case .setValue(_, let property, let id, let isMissing):
      "give it \(isMissing ? "one" : "another value"): update '\(property)' of the row \(id)"
    }
  }
}

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
