/// An action that can fix the problem of a diagnostic.
///
/// In a command-line program the remedy is an option, in a library a parameter. A remedy is therefore data, and the
/// `DiagnosticWording` of the user interface converts it to a sentence.
public enum DiagnosticRemedy: Hashable, Sendable {
  /// A remedy as a sentence that is the same in all user interfaces.
  case text(String)
  /// A remedy for a model.
  case model(ModelRemedy)
  /// A remedy for a store.
  case store(StoreRemedy)
  /// A remedy for a request.
  case request(RequestRemedy)
  /// A remedy for an import.
  case importing(ImportRemedy)
  /// A remedy for a migration.
  case migration(MigrationRemedy)
}

extension DiagnosticRemedy: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self = .text(text) }
}

extension DiagnosticRemedy: CustomStringConvertible {
  /// The remedy as a sentence without names of options, parameters or commands.
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

/// A remedy if a store, or a part of it, is missing or wrong.
public enum StoreRemedy: Hashable, Sendable {
  /// Create an empty store, at the path if there is one.
  case create(path: String?)
  /// Repair the store, which creates missing parts such as indexes and triggers.
  case repair
  /// Verify the store to list wrong values.
  case verify
  /// Begin with suggested rules for an anonymized copy.
  case proposeRules
  /// Specify whether to keep or to drop tables and other content that isn't part of the model.
  case chooseOtherContent
  /// Replace a symbolic link by its destination, or migrate without a backup.
  case replaceLink
  /// Set a property of a row to a different value. If `isMissing` is true, the property doesn't have a value yet.
  case setValue(entity: String, property: String, objectID: String, isMissing: Bool)

  var sentence: String {
    switch self {
    case .create(let path?): "create an empty store at '\(path)' first"
    case .create(nil): "create an empty store first"
    case .repair: "repair the store, which creates missing parts, and verify it to list the others"
    case .verify: "verify the store to list wrong values"
    case .proposeRules: "begin with suggested rules"
    case .chooseOtherContent: "specify whether to keep or to drop it"
    case .replaceLink:
      "replace the link with the folder or file; a migration without a backup doesn't copy it"
    case .setValue(_, let property, let id, let isMissing):
      "set \(isMissing ? "a value" : "another value"): update '\(property)' of the row \(id)"
    }
  }
}

/// A remedy if a store can't be migrated as requested.
public enum MigrationRemedy: Hashable, Sendable {
  /// Allow dropping the parts with these names, such as `Item` and `Item.note`.
  case allowLoss([String])
  /// Several rows have the same destination, although the relationship becomes one-to-one. Allow the loss of the other
  /// links, such as `Member.user`, or define which rows of the source entity are dropped.
  case allowSharedLoss(String, sourceEntity: String)
  /// Write the backup to another location, or don't create one.
  case moveBackup
  /// Specify this version as an intermediate version of the migration.
  case passVersion(String)
  /// Choose other intermediate versions, or migrate directly to the target, without definitions between other versions.
  case goStraight
  /// Specify only intermediate versions between the store's version and the target, each of them once.
  case passVersionsBetween
  /// Specify intermediate versions. Without them, a store whose model is read from the store itself is migrated
  /// directly, without definitions.
  case passVersionsOfCarried
  /// Create a definition between two versions from its skeleton.
  case writeDefinition
  /// Define the changes of the entity's rows that the app's code makes.
  case defineEntity(String)

  var sentence: String {
    switch self {
    case .allowLoss(let names):
      "allow the loss of \(names.map { "'\($0)'" }.joined(separator: ", ")) to drop it"
    case .allowSharedLoss(let loss, let source):
      """
      allowing the loss of '\(loss)' keeps each destination only in the row with the lowest key; or specify \
      in a definition which rows to drop: <drop entity="\(source)" where="…"/>
      """
    case .moveBackup: "write the backup to another location, or don't create one"
    case .passVersion(let version): "or choose the path: by '\(version)'"
    case .goStraight: "choose another path, or migrate directly, without definitions in between"
    case .passVersionsBetween:
      "choose only versions between the version of the store and the target, each of them once"
    case .passVersionsOfCarried:
      "this path doesn't use any definitions: specify intermediate versions"
    case .writeDefinition: "begin with the skeleton of a definition between both versions"
    case .defineEntity(let entity):
      "define it in a migration file: <entity name=\"\(entity)\">"
    }
  }
}
