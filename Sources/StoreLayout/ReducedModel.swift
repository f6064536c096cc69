import SQLiteAccess
package import StoreDiagnostics
package import StoreModel

/// A model without the parts that a store doesn't contain, for reading a store of another version. It omits entities
/// that aren't in the store, and properties without a column or with a column of another type.
package struct ReducedModel {
  package private(set) var model: DataModel
  /// Entities that the store doesn't contain.
  package private(set) var missingEntities: Set<String> = []
  /// Properties that the store doesn't contain, or contains with another type, by the entity that declares them.
  package private(set) var missingProperties: [String: [String]] = [:]
  /// Columns in the store that don't belong to a property, by table.
  package private(set) var foreignColumns: [String: [String]] = [:]

  /// - Parameters:
  ///   - configuration: nil for the whole model.
  ///   - entities: the entities in the store's version hashes. The entity numbers in the store aren't sufficient,
  ///     because a number can belong to another entity there.
  package init(
    _ model: DataModel, configuration: ConfigurationDescription? = nil, to schema: StoreSchema,
    having entities: Set<ExactText>
  ) {
    let whole = model.limited(to: configuration)
    self.model = whole.with(whole.entities.map(\.forReading))
    // After a relationship is removed, its inverse can require another column, so the check is repeated.
    while removeMissing(in: schema, having: entities) {}
    let layout = StoreLayout(model: self.model, in: schema)
    let tables =
      layout.tables.map { ($0.name, $0.columns) } + layout.joinTables.map { ($0.name, $0.columns) }
    for (name, columns) in tables {
      let known = columns.map(\.name).exact
      let stored = schema.database.tables[name]?.columnNames ?? []
      let foreign = stored.filter { !known.contains(ExactText($0)) }
      if !foreign.isEmpty { foreignColumns[name] = foreign }
    }
  }

  /// The number of missing entities, missing properties and foreign columns.
  package var differenceCount: Int {
    (missingProperties.values.map(\.count) + foreignColumns.values.map(\.count))
      .reduce(missingEntities.count, +)
  }

  /// Removes missing entities and properties, and returns whether there were missing parts.
  private mutating func removeMissing(
    in schema: StoreSchema, having stored: Set<ExactText>
  ) -> Bool {
    let layout = StoreLayout(model: model, in: schema)
    var entities = Set(
      layout.entities.filter { place in
        !schema.hasTable(place.table) || !stored.contains(ExactText(place.name))
      }
      .map(\.name))
    entities.formUnion(
      model.entities.filter { entity in
        model.ancestors(of: entity).contains { entities.contains($0.name) }
      }.map(\.name))
    var isLess = !entities.isEmpty
    missingEntities.formUnion(entities)
    var kept = model.entities.filter { !entities.contains($0.name) }
    for index in kept.indices {
      let name = kept[index].name
      guard let place = layout.entity(named: name) else { continue }
      let missing = Set(
        kept[index].attributes.filter { !$0.isTransient }.map(\.name)
          .filter { !place.hasColumns(ofAttribute: $0, in: schema) }
          + kept[index].relationships.filter { relationship in
            entities.contains(relationship.destination)
              || !relationship.isTransient
                && !place.hasColumns(ofRelationship: relationship.name, in: schema)
          }.map(\.name))
      guard !missing.isEmpty else { continue }
      isLess = true
      missingProperties[name, default: []] += missing.sorted { $0.precedes($1) }
      kept[index].attributes.removeAll { missing.contains($0.name) }
      kept[index].relationships.removeAll { missing.contains($0.name) }
    }
    model = model.with(kept)
    return isLess
  }
}

extension EntityLayout {
  /// Returns whether the columns exist. A composite has the columns of its elements, and a transient attribute has
  /// none.
  fileprivate func hasColumns(ofAttribute name: String, in schema: StoreSchema) -> Bool {
    let columns = attributes.filter { $0.key == name || $0.key.hasPrefix("\(name).") }.map(\.value)
    return columns.allSatisfy { column in
      schema.database.tables[table]?.columns.contains {
        $0.name.isExactly(column.column)
          && $0.declaredType == column.type.storage.declared.rawValue
      } == true
    }
  }

  fileprivate func hasColumns(ofRelationship name: String, in schema: StoreSchema) -> Bool {
    if let column = toOne[name] { return schema.hasColumn(column.column, in: table) }
    switch toMany[name] {
    case .column(let key)?: return schema.hasColumn(key.column, in: key.table)
    case .joinTable(let join)?:
      return schema.hasColumn(join.sourceColumn, in: join.table)
        && schema.hasColumn(join.destinationColumn, in: join.table)
    case nil: return false
    }
  }
}

extension DataModel {
  /// Returns the model with only these entities and their templates.
  func with(_ entities: [EntityDescription], _ configurations: [ConfigurationDescription] = [])
    -> DataModel
  {
    let names = Set(entities.map(\.name))
    return DataModel(
      name: name, versionIdentifiers: versionIdentifiers, entities: entities,
      templates: templates.filter { names.contains($0.entity) }, configurations: configurations,
      composites: composites)
  }
}

extension EntityDescription {
  /// The entity without constraints, indexes and derivations, which only writing requires.
  fileprivate var forReading: EntityDescription {
    var copy = self
    (copy.uniquenessConstraints, copy.indexes) = ([], [])
    for index in copy.attributes.indices { copy.attributes[index].derivation = nil }
    return copy
  }
}
