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
}

extension StoreRemedy {
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
