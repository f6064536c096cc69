import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The facts of `model diff`: a record for each change.
enum ModelDiffFacts {
  /// - Parameter target: for the places of the names.
  static func facts(of diff: ModelDiff, in target: ModelReading) -> Facts {
    .records(
      columns: ["entity", "name", "change", "detail", "effect", "kind", "file", "line"],
      diff.changes.map { change in
        let wording = change.wording
        let place = change.part.flatMap(target.place)
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
        return object.value
      })
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
