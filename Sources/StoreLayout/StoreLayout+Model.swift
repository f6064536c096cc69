package import StoreModel

extension StoreLayout {
  /// The layout of a new store for a model or for one of its configurations.
  package init(model: DataModel, configuration: ConfigurationDescription? = nil) {
    self.init(LayoutBuilder(model.limited(to: configuration)))
  }

  package init(_ built: LayoutBuilder) {
    var builder = built
    model = builder.model
    let all = builder.numbering.numbered.map(\.entity)
    let trees = Dictionary(grouping: all) { built.model.root(of: $0).name }
    let keys = builder.keyColumns
    tables = all.compactMap { root -> TableLayout? in
      guard let members = trees[root.name] else { return nil }
      let name = builder.table(of: root)
      return TableLayout(
        name: name, root: root.name, columns: builder.allColumns(of: root),
        indexes: builder.indexes(of: root, members, keys: keys[name, default: []]))
    }
    triggers = builder.triggers()
    let declared = builder.declaredPlaces
    entities = all.map { builder.entityLayout($0, declared) }
    joinTables = builder.joinTables
    rTrees = builder.rTrees(over: entities)
    computed = builder.computed
    omissions = builder.omissions
    risks = builder.risks + builder.namingRisks
    places = Places(self)
  }
}

extension LayoutBuilder {
  fileprivate func allColumns(of root: EntityDescription) -> [ColumnLayout] {
    FixedColumn.ofEveryRow.map { name in
      let key = name == FixedColumn.primaryKey ? " PRIMARY KEY" : ""
      return ColumnLayout(name: name, declaredType: DeclaredType.integer.rawValue + key)
    }
      + columns[table(of: root), default: []].sorted { $0.place < $1.place }.map(\.column)
  }

  /// The columns of properties, by the name of the declaring entity and the name of the property.
  fileprivate struct DeclaredPlaces {
    var attributes: [String: [String: AttributeColumn]]
    var toOne: [String: [String: ToOneColumn]]
    var toMany: [String: [String: ToManyLayout]]
  }

  fileprivate var declaredPlaces: DeclaredPlaces {
    func byEntity<Place>(_ places: [PropertyKey: Place]) -> [String: [String: Place]] {
      places.reduce(into: [:]) { $0[$1.key.entity, default: [:]][$1.key.property] = $1.value }
    }
    return DeclaredPlaces(
      attributes: byEntity(attributes), toOne: byEntity(toOne), toMany: byEntity(toMany))
  }

  fileprivate func entityLayout(_ entity: EntityDescription, _ places: DeclaredPlaces)
    -> EntityLayout
  {
    let root = model.root(of: entity)
    let owners = [entity] + model.ancestors(of: entity)
    func inherited<Place>(_ declared: [String: [String: Place]]) -> [String: Place] {
      owners.compactMap { declared[$0.name] }.reduce([:]) { own, inherited in
        own.isEmpty ? inherited : own.merging(inherited) { first, _ in first }
      }
    }
    return EntityLayout(
      name: entity.name, number: numbering.number(of: entity), root: root.name,
      parentNumber: numbering.parentNumber(of: entity), isAbstract: entity.isAbstract,
      table: table(of: entity), sharesTable: model.hasSubentities(root),
      subtree: numbering.subtree(of: entity), attributes: inherited(places.attributes),
      toOne: inherited(places.toOne), toMany: inherited(places.toMany))
  }

  fileprivate var namingRisks: [String] {
    var risks: [String] = []
    for entity in model.entities {
      for attribute in entity.attributes where !attribute.isTransient {
        guard case .composite = attribute.type else { continue }
        risks.append(
          "'\(entity.name).\(attribute.name)' is a composite; the names of its columns aren't"
            + " confirmed by any known store")
      }
      let names = [entity.name] + entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for name in names where !name.utf8.allSatisfy({ $0 < 128 }) {
        risks.append(
          "'\(name)' has non-ASCII characters, so Core Data may use another upper-case name for its table or column"
        )
      }
    }
    return risks
  }
}
