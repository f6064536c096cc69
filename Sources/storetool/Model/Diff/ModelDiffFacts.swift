import RecordFormats
import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The output of `model diff`: one record for each change.
enum ModelDiffFacts {
  static func facts(of models: [ComparedModel]) -> Facts {
    let records = models.flatMap { model in
      model.versions.map { ChangeRecord($0, in: model) }
        + (model.diff?.changes ?? []).map { ChangeRecord($0, in: model) }
    }
    return .records(
      columns: [
        "entity", "name", "change", "detail", "effect", "kind", "file", "line", "model", "needs",
      ], records)
  }
}

private struct ChangeRecord: Encodable {
  var entity: String?
  let name: String?
  let change, detail: String
  var old, new, resembles: String?
  let effect: String
  var kind, file: String?
  var line: Int?
  let model: LocalPath?
  var needs: String?

  init(_ change: ModelChange, in model: ComparedModel) {
    let wording = change.wording
    let place = change.part.flatMap { model.new?.reading.place(of: $0) }
    (entity, name) = (change.entity, change.name)
    (self.change, detail, old, new) = (wording.code, wording.detail, wording.old, wording.new)
    resembles = change.resembles
    (effect, kind) = (change.effect.rawValue, change.difficulty.rawValue)
    (file, line) = (place?.file, place?.line)
    (self.model, needs) = (model.path, model.need(of: change)?.rawValue)
  }

  init(_ change: VersionChange, in model: ComparedModel) {
    (name, self.change, detail) = (change.version, change.code, change.detail)
    effect = (change.changesHash ? ModelChange.Effect.hash : .none).rawValue
    self.model = model.path
  }
}

extension ComparedModel {
  /// The kind of migration that a change requires for stores of the old version.
  enum Need: String {
    /// An inferred migration.
    case inference
    /// A migration with a definition. Without it, rows can't be migrated unless the model is changed.
    case definition
  }

  /// Returns the kind of migration that a change requires; nil if it doesn't require a migration.
  func need(of change: ModelChange) -> Need? {
    guard change.effect == .hash, let demand else { return nil }
    return demand.obstacles.contains { $0.part == change.part } ? .definition : .inference
  }
}

extension ModelChange {
  /// The part of the target model where the change is located. For a removed property or index, this is its entity.
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
