/// A remedy if the right model, or a part of it, isn't specified.
public enum ModelRemedy: Hashable, Sendable {
  /// Specify the model, because no known version wrote the store.
  case name(Absence)
  /// Specify the version of the model.
  case chooseVersion
  /// List the fetch-request templates.
  case listTemplates
  /// Run the fetched property `name` of an entity as a request.
  case runFetchedProperty(entity: String, name: String)
  /// Resolve the conflicts of a merge in a model's file.
  case resolveConflicts
  /// Check the whole model for other errors.
  case check
  /// Choose another name for a file, or overwrite the existing file.
  case overwriteFile

  /// The reason why the version of a store is unknown.
  public enum Absence: Hashable, Sendable {
    /// No model was found.
    case noModel
    /// The available models have nothing in common with the store.
    case otherModel
    /// A version later than the available ones wrote it.
    case newerVersion
    /// A version that was edited later, or isn't available, wrote it.
    case editedVersion
  }

  var sentence: String {
    switch self {
    case .name(.noModel): "no model was found; name one"
    case .name(.otherModel): "it belongs to another model: name that"
    case .name(.newerVersion):
      "it has entities that no version here knows, so a later version wrote it: get the newest model"
    case .name(.editedVersion):
      "the version that wrote it isn't available, or was edited later: look for it in the history of the model"
    case .chooseVersion: "choose a version"
    case .listTemplates: "the model lists its templates"
    case .runFetchedProperty(let entity, let name):
      "fetch '\(entity).\(name)' as a template"
    case .resolveConflicts: "resolve them: keep one side of each, or merge the versions by meaning"
    case .check: "check the model"
    case .overwriteFile: "choose another name, or overwrite the file"
    }
  }
}
