import ModelTools
import StoreMigration
import StoreModel

extension DiagramChanges {
  /// What a comparison of two versions says, as marks in a picture.
  init(_ diff: ModelDiff) {
    let names = diff.pairing.entities.map { ($0.source, $0.target) }
    self.init(from: diff.source, entityNames: Dictionary(names) { first, _ in first })
    for change in diff.changes { add(change, diff) }
  }

  private mutating func add(_ change: ModelChange, _ diff: ModelDiff) {
    switch change.kind {
    case .entity(_, .removed(let entity)): remove(.entity(entity))
    case .entity(let name, .added): mark(.entity(name), .added)
    case .entity(let name, _): mark(.entity(name), .changed)
    case .attribute(let name, let entity, let change):
      mark(.entity(entity), .changed)
      switch change {
      case .removed(let attribute): remove(.attribute(attribute, of: entity))
      case .added: mark(.property(name, of: entity), .added)
      default: mark(.property(name, of: entity), .changed)
      }
    case .relationship(let name, let entity, let change):
      mark(.entity(entity), .changed)
      switch change {
      case .removed(let relationship): remove(.relationship(relationship, of: entity))
      case .added: mark(.property(name, of: entity), .added)
      default: mark(.property(name, of: entity), .changed)
      }
    case .fetchedProperty(let name, let entity, let change):
      mark(.entity(entity), .changed)
      guard change == .removed else {
        return mark(.property(name, of: entity), change == .added ? .added : .changed)
      }
      let former = diff.pairing.pair(toTarget: entity)?.source ?? entity
      let fetched = diff.source.entity(named: former)?.fetchedProperties
      if let gone = fetched?.first(where: { $0.name == name }) {
        remove(.fetchedProperty(gone, of: entity))
      }
    case .composite(let name, let change):
      guard change == .removed else {
        return mark(.composite(name), change == .added ? .added : .changed)
      }
      if let gone = diff.source.composite(named: name) { remove(.composite(gone)) }
    // No picture shows them.
    case .template, .configuration, .versionIdentifiers: break
    }
  }
}
