/// A remedy if the model of a store is unknown, or the name of a part of a model is missing or wrong.
public enum ModelRemedy: Hashable, Sendable {
  /// Specify the model, because none of the available versions wrote the store.
  case name(Absence)
  /// Specify the version of the model.
  case chooseVersion
  /// List the fetch-request templates.
  case listTemplates
  /// Run the fetched property `name` of an entity as a request.
  case runFetchedProperty(entity: String, name: String)
  /// Resolve the conflicts that a merge left in the file of a model.
  case resolveConflicts
  /// Check the whole model to see all of its errors.
  case check
  /// Choose another name for a file, or overwrite the existing file.
  case overwriteFile

  /// The reason why the model version of a store is unknown.
  public enum Absence: Hashable, Sendable {
    /// No model was found.
    case noModel
    /// The store was written by a model that isn't available.
    case otherModel
    /// The store was written by a version that is newer than the available ones.
    case newerVersion
    /// The store was written by a version that isn't available, or that was edited afterwards.
    case editedVersion
  }

  var sentence: String {
    switch self {
    case .name(.noModel): "no model was found; specify one"
    case .name(.otherModel): "it belongs to another model: specify that model"
    case .name(.newerVersion):
      "it contains entities that the available versions don't have, so a later version wrote it: get the newest model"
    case .name(.editedVersion):
      "the version that wrote it isn't available, or was edited later: look for it in the history of the model"
    case .chooseVersion: "choose a version"
    case .listTemplates: "the model lists its templates"
    case .runFetchedProperty(let entity, let name):
      "fetch '\(entity).\(name)' as a template"
    case .resolveConflicts:
      "resolve them: keep one side of each conflict, or merge the models again"
    case .check: "check the model"
    case .overwriteFile: "choose another name, or overwrite the file"
    }
  }
}
