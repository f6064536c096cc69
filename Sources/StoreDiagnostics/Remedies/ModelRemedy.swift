/// What helps where the right model, or a part of it, is not named.
public enum ModelRemedy: Hashable, Sendable {
  /// Name the model: no version that is known wrote the store.
  case name(Absence)
  /// Say which version of the model is meant.
  case chooseVersion
  /// List the fetch-request templates.
  case listTemplates
  /// Run the fetched property `name` of an entity as a request of its own.
  case runFetchedProperty(entity: String, name: String)
  /// Resolve what a merge has left open in a model's file.
  case resolveConflicts
  /// Check the whole model, for what else is wrong.
  case check
  /// Choose another name for a file, or overwrite the one that is there.
  case overwriteFile

  /// Why the version that wrote a store is not known.
  public enum Absence: Hashable, Sendable {
    /// No model was found.
    case noModel
    /// The models at hand have nothing in common with the store.
    case otherModel
    /// A later version than those at hand wrote it.
    case newerVersion
    /// A version that was edited since, or is not here, wrote it.
    case editedVersion
  }

  var sentence: String {
    switch self {
    case .name(.noModel): "no model was found; name one"
    case .name(.otherModel): "it belongs to another model: name that"
    case .name(.newerVersion):
      "it has entities that no version here knows, so a later version wrote it: get the newest model"
    case .name(.editedVersion):
      "the version that wrote it is not here, or was edited since: look in the model's history for it"
    case .chooseVersion: "choose a version"
    case .listTemplates: "the model lists its templates"
    case .runFetchedProperty(let entity, let name):
      "it is a request of its own: fetch '\(entity).\(name)' as a template"
    case .resolveConflicts: "resolve them: keep one side of each, or merge the versions by meaning"
    case .check: "checking the model says more"
    case .overwriteFile: "choose another name, or overwrite the file"
    }
  }
}
