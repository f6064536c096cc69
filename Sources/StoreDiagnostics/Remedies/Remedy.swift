/// A remedy of a diagnostic.
///
/// A library knows the remedy, but not its name in an interface: an option, a parameter, or a button. It therefore
/// returns the remedy as data, and a `DiagnosticWording` contains the words.
public enum Remedy: Hashable, Sendable {
  /// A sentence that doesn't depend on an interface.
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

extension Remedy: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self = .text(text) }
}

extension Remedy: CustomStringConvertible {
  /// A sentence that doesn't depend on an interface.
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
  /// Create an empty store at the path.
  case create(path: String)
  /// Repair missing tables and columns.
  case repair
  /// Verify the store to list wrong values.
  case verify
  /// Propose rules for an anonymized copy.
  case proposeRules
  /// Specify whether to keep or to drop content outside of the model.
  case chooseOtherContent
  /// Replace a symbolic link by its destination, or migrate without a backup.
  case replaceLink
  /// Set a property of the row to another value, or to a value if `isMissing`.
  case setValue(entity: String, property: String, objectID: String, isMissing: Bool)

  var sentence: String {
    switch self {
    case .create(let path): "create an empty store at '\(path)' first"
    case .repair: "repair the store, which creates missing parts, and verify it to list the others"
    case .verify: "verify the store to list wrong values"
    case .proposeRules: "rules to begin with can be proposed"
    case .chooseOtherContent: "specify whether to keep or to drop it"
    case .replaceLink:
      "replace the link by the folder or file; a migration without a backup doesn't copy it"
    case .setValue(_, let property, let id, let isMissing):
      "set \(isMissing ? "a value" : "another value"): update '\(property)' of the row \(id)"
    }
  }
}

/// A remedy if a store can't be migrated as requested.
public enum MigrationRemedy: Hashable, Sendable {
  /// Allow dropping the parts with these names, such as `Item` and `Item.note`.
  case allowLoss([String])
  /// Allow the loss of links, or define the rows of the source entity that are dropped.
  case allowSharedLoss(String, sourceEntity: String)
  /// Write the backup to another location, or don't create one.
  case moveBackup
  /// Specify a version to pass.
  case passVersion(String)
  /// Use the direct path without definitions.
  case goStraight
  /// Only specify versions between both ends, without duplicates.
  case passVersionsBetween
  /// Specify versions to pass, because the model in a store is migrated without definitions.
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
      allowing the loss of '\(loss)' leaves each destination to the row with the lowest key; or say \
      in a definition which rows go: <drop entity="\(source)" where="…"/>
      """
    case .moveBackup: "write the backup to another location, or don't create one"
    case .passVersion(let version): "or choose the path: by '\(version)'"
    case .goStraight: "choose another one: the straight one leads past all definitions"
    case .passVersionsBetween:
      "choose only versions between the store's and the target, each once"
    case .passVersionsOfCarried: "no definition is passed: name the versions to go over"
    case .writeDefinition: "begin with the skeleton of a definition between both versions"
    case .defineEntity(let entity):
      "define it in a migration file: <entity name=\"\(entity)\">"
    }
  }
}
