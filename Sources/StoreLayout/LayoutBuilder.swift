import StoreModel

/// Creates a layout: the table and column of each stored property. With a `schema`, the layout is for an existing
/// store, which determines the choices that the model leaves open.
package struct LayoutBuilder {
  let model: DataModel
  let numbering: EntityNumbering
  let schema: StoreSchema?

  /// The names of the tables, by the root entity's name.
  var tableNames: [String: String] = [:]
  var columns: [String: [PlacedColumn]] = [:]
  var attributes: [PropertyKey: AttributeColumn] = [:]
  var toOne: [PropertyKey: ToOneColumn] = [:]
  var toMany: [PropertyKey: ToManyLayout] = [:]
  var joinTables: [JoinTableLayout] = []
  var risks: [String] = []
  var computed: [ComputedAttribute] = []
  /// The companion columns that the store doesn't contain.
  var omissions: [OmittedColumn] = []

  /// The used names of tables.
  var tablePool = NamePool()
  /// The used names of columns in all join tables.
  var joinColumnPool = NamePool()
  private var columnPools: [String: NamePool] = [:]

  struct PlacedColumn {
    var place: ColumnPlace
    var column: ColumnLayout
  }

  init(_ model: DataModel, schema: StoreSchema? = nil) {
    self.model = model
    self.schema = schema
    numbering =
      schema.map { EntityNumbering(model, primaryKeys: $0.primaryKeys) } ?? EntityNumbering(model)
    nameTables()
    // Attributes and to-one relationships reserve their names before hidden keys and order columns.
    for (entity, number) in numbering.numbered { placeProperties(of: entity, number) }
    for (entity, number) in numbering.numbered { placeHiddenKeys(of: entity, number) }
    for (entity, number) in numbering.numbered { placeOrderColumns(of: entity, number) }
    placeJoinTables()
    for (entity, _) in numbering.numbered { placeToMany(of: entity) }
  }

  func table(of entity: EntityDescription) -> String {
    tableNames[model.root(of: entity).name] ?? "Z\(entity.name.uppercased())"
  }

  private mutating func nameTables() {
    for (entity, _) in numbering.numbered where model.root(of: entity).name == entity.name {
      let name = tablePool.claim("Z\(entity.name.uppercased())")
      tableNames[entity.name] = name
      columnPools[name] = NamePool(FixedColumn.ofEveryRow)
    }
  }

  /// Adds a column to a table and returns its name.
  mutating func place(
    _ base: String, _ type: DeclaredType, in table: String, at place: ColumnPlace
  ) -> String {
    let name = columnPools[table, default: NamePool()].claim(base)
    columns[table, default: []].append(
      PlacedColumn(
        place: place, column: ColumnLayout(name: name, declaredType: type.rawValue)))
    return name
  }

  /// Adds a companion column of a key and returns its name. Returns nil if the column is missing in the store, which
  /// can be read without it.
  mutating func placeIfStored(
    _ base: String, beside key: String, in table: String, at place: ColumnPlace
  ) -> String? {
    guard isStored(base, beside: key, in: table) else { return nil }
    return self.place(base, .integer, in: table, at: place)
  }

  /// Returns whether a companion column is in the store. Records a missing column in `omissions`. Returns true for a
  /// new store or a missing table.
  mutating func isStored(_ column: String, beside key: String, in table: String) -> Bool {
    guard let schema, schema.hasTable(table), !schema.hasColumn(column, in: table) else {
      return true
    }
    omissions.append(OmittedColumn(table: table, column: column, key: key))
    return false
  }
}

extension LayoutBuilder {
  /// Returns the R-trees of the model, followed by other R-trees in the store.
  mutating func rTrees(over entities: [EntityLayout]) -> [RTreeLayout] {
    let wanted = modelTrees()
    let found = schema?.database.rTrees(over: entities) ?? []
    return wanted + found.filter { tree in !wanted.contains { $0.name == tree.name } }
  }

  /// Returns an R-tree for each attribute whose user info contains the attributes of a location.
  private mutating func modelTrees() -> [RTreeLayout] {
    var trees: [RTreeLayout] = []
    for (entity, _) in numbering.numbered {
      for attribute in entity.attributes {
        guard let components = attribute.userInfo[RTreeLayout.componentsKey] else { continue }
        guard let columns = columns(of: components, in: entity) else {
          risks.append(
            "the R-tree of '\(entity.name).\(attribute.name)' is omitted: '\(components)' isn't a"
              + " list of one to five stored attributes")
          continue
        }
        trees.append(
          RTreeLayout(
            name: "\(RTreeLayout.prefix)\(entity.name)_\(attribute.name)", table: table(of: entity),
            columns: columns))
      }
    }
    return trees
  }

  /// - Parameter components: the names of attributes, such as `latitude, longitude`.
  private func columns(of components: String, in entity: EntityDescription) -> [String]? {
    let names = components.split(separator: ",").map { name in
      String(name.drop { $0 == " " }.prefix { $0 != " " })
    }
    let columns = names.compactMap { find($0, of: entity, in: attributes)?.column }
    guard columns.count == names.count, Set(columns).count == columns.count,
      RTreeLayout.dimensions.contains(columns.count)
    else { return nil }
    return columns
  }
}

extension LayoutBuilder {
  /// Adds the columns of the attributes, sorted by name, then of the to-one relationships, sorted by name. The names of
  /// the columns are reserved in this order.
  mutating func placeProperties(of entity: EntityDescription, _ number: Int64) {
    let table = table(of: entity)
    for attribute in model.storedAttributes(declaredBy: entity) {
      let (declared, group) = attribute.type.storage
      let column = place(
        attribute.name.columnName, declared, in: table,
        at: ColumnPlace(group: group, entity: number, name: attribute.name))
      attributes[PropertyKey(entity.name, attribute.name)] = AttributeColumn(
        column: column, type: attribute.type, isDerived: attribute.derivation != nil,
        allowsExternalStorage: attribute.allowsExternalStorage)
    }
    for relationship in entity.relationships
    where !relationship.isTransient && !relationship.isToMany {
      placeToOne(relationship, of: entity, number)
    }
  }

  private mutating func placeToOne(
    _ relationship: RelationshipDescription, of entity: EntityDescription, _ number: Int64
  ) {
    let table = table(of: entity)
    var place = ColumnPlace(
      group: .integer, entity: number, isRelationship: true, name: relationship.name)
    let column = self.place(relationship.name.columnName, .integer, in: table, at: place)
    place.part = .companion
    var entityColumn: String?
    if let destination = model.entity(named: relationship.destination),
      model.hasSubentities(destination)
    {
      let destinationNumber = numbering.number(of: destination)
      entityColumn = placeIfStored(
        "Z\(destinationNumber)_\(relationship.name.uppercased())", beside: column, in: table,
        at: place)
    }
    toOne[PropertyKey(entity.name, relationship.name)] = ToOneColumn(
      column: column, destination: relationship.destination, entityColumn: entityColumn)
  }

  /// Adds hidden keys. For a to-many without an inverse, the members' table has a column with the owner's key, which
  /// isn't in the model: `Z<n><NAME>`, where n is the number of the owner's entity.
  mutating func placeHiddenKeys(of entity: EntityDescription, _ number: Int64) {
    for relationship in entity.relationships where isHidden(relationship, of: entity) {
      guard let destination = model.entity(named: relationship.destination) else { continue }
      let table = table(of: destination)
      let name = "\(number)\(relationship.name.uppercased())"
      var place = ColumnPlace(
        group: .hiddenKey, entity: number, isRelationship: true, name: relationship.name)
      let column = self.place("Z\(name)", .integer, in: table, at: place)
      place.part = .companion
      let orderColumn =
        relationship.isOrdered
        ? placeIfStored("Z_FOK_\(name)", beside: column, in: table, at: place) : nil
      toMany[PropertyKey(entity.name, relationship.name)] = .column(
        .init(
          destination: destination.name, table: table, column: column, entityColumn: nil,
          orderColumn: orderColumn))
    }
  }

  private func isHidden(_ relationship: RelationshipDescription, of entity: EntityDescription)
    -> Bool
  {
    relationship.isToMany && !relationship.isTransient
      && model.sharedInverse(of: relationship, declaredBy: entity) == nil
  }

  /// Adds the columns with positions in an ordered to-many, which are companions of the inverse's column.
  mutating func placeOrderColumns(of entity: EntityDescription, _ number: Int64) {
    let table = table(of: entity)
    for relationship in entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      guard let (inverse, _) = model.sharedInverse(of: relationship, declaredBy: entity),
        inverse.isOrdered, let key = toOne[PropertyKey(entity.name, relationship.name)]?.column
      else { continue }
      let column = placeIfStored(
        "Z_FOK_\(relationship.name.uppercased())", beside: key, in: table,
        at: ColumnPlace(
          group: .order, entity: number, isRelationship: true, name: relationship.name))
      toOne[PropertyKey(entity.name, relationship.name)]?.orderColumn = column
    }
  }

  /// Adds the to-many relationships whose inverse is to-one. They use the inverse's column.
  mutating func placeToMany(of entity: EntityDescription) {
    for relationship in entity.relationships
    where relationship.isToMany && !relationship.isTransient {
      guard let (inverse, owner) = model.sharedInverse(of: relationship, declaredBy: entity),
        let back = toOne[PropertyKey(owner.name, inverse.name)]
      else { continue }
      toMany[PropertyKey(entity.name, relationship.name)] = .column(
        .init(
          destination: relationship.destination, table: table(of: owner), column: back.column,
          entityColumn: back.entityColumn, orderColumn: back.orderColumn))
    }
  }
}

extension String {
  /// The name of a property's column, unless another column already uses it.
  fileprivate var columnName: String {
    // The form for an element of a composite is a guess, because no known store contains it.
    "Z" + uppercased().map { $0 == "." ? "_" : String($0) }.joined()
  }
}

/// A property with the entity that declares it. Subentities share its column.
struct PropertyKey: Hashable {
  var entity: String
  var property: String

  init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }
}
