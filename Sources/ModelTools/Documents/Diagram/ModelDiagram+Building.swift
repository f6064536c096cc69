package import StoreModel

extension ModelDiagram {
  /// Creates the diagram of a whole model.
  ///
  /// - Parameter changes: the differences from a previous version, which are marked. Parts that only the previous
  ///   version contains are also shown.
  package init(of model: DataModel, changes: DiagramChanges? = nil) {
    var builder = DiagramBuilder(model, changes)
    builder.addBoxes()
    builder.addInheritance()
    builder.addComposites()
    builder.addRelationships()
    self.init(boxes: builder.boxes, lines: builder.lines, showsChanges: changes != nil)
  }
}

/// Creates the boxes and lines of a diagram. The boxes must be added first, because lines refer to the indices of boxes
/// and rows.
struct DiagramBuilder {
  let model: DataModel
  let changes: DiagramChanges?
  private(set) var boxes: [ModelDiagram.Box] = []
  var lines: [ModelDiagram.Line] = []
  /// The indices of the entities' boxes, by the entity's name.
  private(set) var entities: [String: Int] = [:]
  private(set) var composites: [String: Int] = [:]
  /// The indices of the removed entities' boxes, by the entity's name in the previous version.
  private var removedEntities: [String: Int] = [:]

  init(_ model: DataModel, _ changes: DiagramChanges?) {
    self.model = model
    self.changes = changes
  }

  mutating func addBoxes() {
    for entity in model.entities {
      entities[entity.name] = boxes.count
      boxes.append(box(of: entity))
    }
    for case .entity(let entity) in changes?.removals ?? [] {
      removedEntities[entity.name] = boxes.count
      boxes.append(box(of: entity, isRemoved: true))
    }
    for composite in model.composites.sorted(by: { $0.name < $1.name }) {
      composites[composite.name] = boxes.count
      boxes.append(box(of: composite, mark: changes?.marks[.composite(composite.name)]))
    }
    for case .composite(let composite) in changes?.removals ?? [] {
      boxes.append(box(of: composite, mark: .removed))
    }
  }

  // MARK: Positions

  /// Returns the index of the box of the entity that has this name in the previous version.
  func box(ofFormerEntity name: String) -> Int? {
    removedEntities[name] ?? changes?.entityNames[name].flatMap { entities[$0] }
  }

  func row(named name: String, _ mark: ChangeMark?, in box: Int) -> Int? {
    let isRemoved = mark == .removed
    return boxes[box].rows.firstIndex {
      $0.name == name && ($0.mark == .removed || boxes[box].mark == .removed) == isRemoved
    }
  }

  /// Returns the mark of a row. All rows of an added or removed box have the mark of the box.
  func mark(ofRow row: Int, in box: Int) -> ChangeMark? {
    switch boxes[box].mark {
    case .added: .added
    case .removed: .removed
    case .changed, nil: boxes[box].rows[row].mark
    }
  }

  // MARK: Boxes

  /// Returns the box of an entity of the current version, or of a removed entity, which has no marked rows.
  private func box(of entity: EntityDescription, isRemoved: Bool = false) -> ModelDiagram.Box {
    let changes = isRemoved ? nil : changes
    func mark(_ name: String) -> ChangeMark? { changes?.marks[.property(name, of: entity.name)] }
    var attributes = entity.attributes.map {
      ModelDiagram.Row($0, constraints: entity.uniquenessConstraints, mark: mark($0.name))
    }
    var relationships = entity.relationships.map {
      ModelDiagram.Row($0, constraints: entity.uniquenessConstraints, mark: mark($0.name))
    }
    var fetched = entity.fetchedProperties.map { ModelDiagram.Row($0, mark: mark($0.name)) }
    for removal in changes?.removals ?? [] {
      switch removal {
      case .attribute(let gone, of: entity.name): attributes.insert(ModelDiagram.Row(gone))
      case .relationship(let gone, of: entity.name): relationships.insert(ModelDiagram.Row(gone))
      case .fetchedProperty(let gone, of: entity.name): fetched.insert(ModelDiagram.Row(gone))
      case .entity, .attribute, .relationship, .fetchedProperty, .composite: continue
      }
    }
    return ModelDiagram.Box(
      kind: .entity(isAbstract: entity.isAbstract), name: entity.name,
      rows: attributes + relationships + fetched,
      mark: isRemoved ? .removed : changes?.marks[.entity(entity.name)])
  }

  private func box(of composite: CompositeDescription, mark: ChangeMark?) -> ModelDiagram.Box {
    ModelDiagram.Box(
      kind: .composite, name: composite.name,
      rows: composite.attributes.map { ModelDiagram.Row($0) }, mark: mark)
  }
}

extension [ModelDiagram.Row] {
  /// Marks a row as removed, and inserts it in the order of the names.
  fileprivate mutating func insert(_ row: ModelDiagram.Row) {
    var row = row
    row.mark = .removed
    insert(row, at: firstIndex { $0.name > row.name } ?? endIndex)
  }
}

/// The differences from a previous version, which are marked in the diagram of a model.
package struct DiagramChanges: Hashable, Sendable {
  /// A part that only the previous version contains. `of` is the name of its entity in the current version.
  package enum Removal: Hashable, Sendable {
    case entity(EntityDescription)
    case attribute(AttributeDescription, of: String)
    case relationship(RelationshipDescription, of: String)
    case fetchedProperty(FetchedProperty, of: String)
    case composite(CompositeDescription)
  }

  /// The previous version.
  package let source: DataModel
  /// The entities' names in the current version, by their names in the previous version. It contains only entities that
  /// exist in both versions.
  package let entityNames: [String: String]
  /// The marks of added and changed entities, properties and composites.
  package private(set) var marks: [ModelPart: ChangeMark] = [:]
  package private(set) var removals: [Removal] = []

  package init(from source: DataModel, entityNames: [String: String]) {
    self.source = source
    self.entityNames = entityNames
  }

  /// Sets the mark of a part, unless the part is already marked as added.
  package mutating func mark(_ part: ModelPart, _ mark: ChangeMark) {
    if marks[part] != .added { marks[part] = mark }
  }

  package mutating func remove(_ removal: Removal) {
    removals.append(removal)
  }
}
