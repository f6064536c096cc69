import RecordFormats
import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The facts of `model diff`: a record for each change.
enum ModelDiffFacts {
  static func facts(of models: [ComparedModel]) -> Facts {
    .records(
      columns: [
        "entity", "name", "change", "detail", "effect", "kind", "file", "line", "model", "needs",
      ],
      models.flatMap { model in
        model.versions.map { facts(of: $0, in: model) }
          + (model.diff?.changes ?? []).map { facts(of: $0, in: model) }
      })
  }

  private static func facts(of change: ModelChange, in model: ComparedModel) -> JSONValue {
    let wording = change.wording
    let place = change.part.flatMap { model.new?.reading.place(of: $0) }
    var object = FactObject()
    object.add("entity", change.entity)
    object.add("name", change.name)
    object.add("change", wording.code)
    object.add("detail", wording.detail)
    object.add("old", wording.old)
    object.add("new", wording.new)
    object.add("resembles", change.resembles)
    object.add("effect", change.effect.rawValue)
    object.add("kind", change.difficulty.rawValue)
    object.add("file", place?.file)
    object.add("line", place?.line)
    object.add("model", model.path)
    object.add("needs", model.need(of: change)?.rawValue)
    return object.value
  }

  private static func facts(of change: VersionChange, in model: ComparedModel) -> JSONValue {
    var object = FactObject()
    object.add("entity", nil as String?)
    object.add("name", change.version)
    object.add("change", change.code)
    object.add("detail", change.detail)
    object.add("old", nil as String?)
    object.add("new", nil as String?)
    object.add("resembles", nil as String?)
    let effect: ModelChange.Effect = change.changesHash ? .hash : .none
    object.add("effect", effect.rawValue)
    object.add("kind", nil as String?)
    object.add("file", nil as String?)
    object.add("line", nil as Int?)
    object.add("model", model.path)
    object.add("needs", nil as String?)
    return object.value
  }
}

extension ComparedModel {
  /// What a store of the old version needs for one change.
  enum Need: String {
    /// A migration that is inferred.
    case inference
    /// A definition, or another change of the model: not a row gets there otherwise.
    case definition
  }

  /// Nil where it needs nothing.
  func need(of change: ModelChange) -> Need? {
    guard change.effect == .hash, let demand else { return nil }
    return demand.obstacles.contains { $0.part == change.part } ? .definition : .inference
  }
}

extension ModelChange {
  /// Where to look in the target: what is gone has left its entity.
  fileprivate var part: ModelPart? {
    switch kind {
    case .entity(let name, .indexAdded(let index)) where !index.name.isEmpty:
      .index(index.name, of: name)
    case .entity(let name, .index(let change)): .index(change.new.name, of: name)
    case .entity(let name, _): .entity(name)
    case .attribute(let name, let entity, _), .relationship(let name, let entity, _),
      .fetchedProperty(let name, let entity, _):
      isRemoval ? .entity(entity) : .property(name, of: entity)
    case .template(let name, _): .template(name)
    case .composite(let name, _): .composite(name)
    case .configuration(let name, _): .configuration(name)
    case .versionIdentifiers: nil
    }
  }
}
