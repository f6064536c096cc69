package import StoreModel

extension StoreLayout {
  /// The layout of a new store for a model, or for one of its configurations.
  package init(model: Model, configuration: Configuration? = nil) {
    self.init(LayoutBuilder(model.limited(to: configuration)))
  }

  package init(_ built: LayoutBuilder) {
    var builder = built
    let model = builder.model
    let roots = builder.numbering.numbered.map(\.entity)
      .filter { model.root(of: $0).name == $0.name }
    let tables = roots.map { root in
      TableLayout(
        name: builder.table(of: root), root: root.name, columns: builder.allColumns(of: root),
        indexes: builder.indexes(of: root))
    }
    let triggers = builder.triggers()
    let entities = builder.numbering.numbered.map { builder.entityLayout($0.entity) }
    let rTrees = builder.rTrees(over: entities)
    self.init(
      model: model, entities: entities, tables: tables, joinTables: builder.joinTables,
      triggers: triggers, computed: builder.computed, rTrees: rTrees, omissions: builder.omissions,
      risks: builder.risks + builder.namingRisks)
  }
}

extension LayoutBuilder {
  fileprivate func allColumns(of root: Entity) -> [ColumnLayout] {
    [
      ColumnLayout(
        name: FixedColumn.primaryKey, declaredType: "\(DeclaredType.integer.rawValue) PRIMARY KEY"),
      ColumnLayout(name: FixedColumn.entity, declaredType: DeclaredType.integer.rawValue),
      ColumnLayout(name: FixedColumn.version, declaredType: DeclaredType.integer.rawValue),
    ]
      + columns[table(of: root), default: []].sorted { $0.place < $1.place }.map(\.column)
  }

  fileprivate func entityLayout(_ entity: Entity) -> EntityLayout {
    let root = model.root(of: entity)
    let owners = [entity] + model.ancestors(of: entity)
    func inherited<Place>(_ places: [PropertyKey: Place]) -> [String: Place] {
      let names = Set(owners.map(\.name))
      let own = places.filter { names.contains($0.key.entity) }
      return Dictionary(own.map { ($0.key.property, $0.value) }) { first, _ in first }
    }
    return EntityLayout(
      name: entity.name, number: numbering.number(of: entity), root: root.name,
      parentNumber: numbering.parentNumber(of: entity), isAbstract: entity.isAbstract,
      table: table(of: entity), sharesTable: model.hasSubentities(root),
      subtree: numbering.subtree(of: entity), attributes: inherited(attributes),
      toOne: inherited(toOne), toMany: inherited(toMany))
  }

  fileprivate var namingRisks: [String] {
    var risks: [String] = []
    for entity in model.entities {
      for attribute in entity.attributes where !attribute.isTransient {
        guard case .composite = attribute.type else { continue }
        risks.append(
          "'\(entity.name).\(attribute.name)' is a composite; the names of its columns are not"
            + " confirmed by any known store")
      }
      let names = [entity.name] + entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for name in names where !name.utf8.allSatisfy({ $0 < 128 }) {
        risks.append("'\(name)' goes beyond ASCII; its upper case may differ in Core Data")
      }
    }
    return risks
  }
}
