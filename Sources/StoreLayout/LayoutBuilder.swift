import StoreModel

/// Gives every stored property of a model its place. One builder makes one layout: for a new store,
/// or, with a `schema`, for one that exists and has made the choices that the model leaves open.
package struct LayoutBuilder {
  let model: Model
  let numbering: EntityNumbering
  let schema: StoreSchema?

  /// Tables by root entity.
  var tableNames: [String: String] = [:]
  var columns: [String: [PlacedColumn]] = [:]
  var attributes: [PropertyKey: AttributeColumn] = [:]
  var toOne: [PropertyKey: ToOneColumn] = [:]
  var toMany: [PropertyKey: ToManyLayout] = [:]
  var joinTables: [JoinTableLayout] = []
  var risks: [String] = []
  var computed: [ComputedAttribute] = []
  /// Companions of keys that the store lacks.
  var omissions: [OmittedColumn] = []

  /// The names of tables, and of the columns of all join tables together.
  var tablePool = NamePool()
  var joinColumnPool = NamePool()
  private var columnPools: [String: NamePool] = [:]

  struct PlacedColumn {
    var place: ColumnPlace
    var column: ColumnLayout
  }

  init(_ model: Model, schema: StoreSchema? = nil) {
    self.model = model
    self.schema = schema
    numbering =
      schema.map { EntityNumbering(model, primaryKeys: $0.primaryKeys) } ?? EntityNumbering(model)
    nameTables()
    // Attributes and to-one relationships take their names before the columns that Core Data adds.
    for (entity, number) in numbering.numbered { placeProperties(of: entity, number) }
    for (entity, number) in numbering.numbered { placeHiddenKeys(of: entity, number) }
    for (entity, number) in numbering.numbered { placeOrderColumns(of: entity, number) }
    placeJoinTables()
    for (entity, _) in numbering.numbered { placeToMany(of: entity) }
  }

  func table(of entity: Entity) -> String {
    tableNames[model.root(of: entity).name] ?? "Z\(entity.name.uppercased())"
  }

  private mutating func nameTables() {
    for (entity, _) in numbering.numbered where model.root(of: entity).name == entity.name {
      let name = tablePool.claim("Z\(entity.name.uppercased())")
      tableNames[entity.name] = name
      columnPools[name] = NamePool([
        FixedColumn.primaryKey, FixedColumn.entity, FixedColumn.version,
      ])
    }
  }

  /// Adds a column to a table and returns the name that it got there.
  mutating func place(
    _ base: String, _ type: DeclaredType, in table: String, at place: ColumnPlace
  ) -> String {
    let name = columnPools[table, default: NamePool()].claim(base)
    columns[table, default: []].append(
      PlacedColumn(
        place: place, column: ColumnLayout(name: name, declaredType: type.rawValue)))
    return name
  }

  /// Like `place`, for a column beside a key, which a store can be read without.
  mutating func placeIfStored(
    _ base: String, beside key: String, in table: String, at place: ColumnPlace
  ) -> String? {
    guard isStored(base, beside: key, in: table) else { return nil }
    return self.place(base, .integer, in: table, at: place)
  }

  /// Notes a column that is not there.
  mutating func isStored(_ column: String, beside key: String, in table: String) -> Bool {
    guard let schema, schema.hasTable(table), !schema.hasColumn(column, in: table) else {
      return true
    }
    omissions.append(OmittedColumn(table: table, column: column, key: key))
    return false
  }
}

extension LayoutBuilder {
  /// The R-trees of the model, followed by other R-trees in the store.
  mutating func rTrees(over entities: [EntityLayout]) -> [RTreeLayout] {
    let wanted = modelTrees()
    let found = schema?.database.rTrees(over: entities) ?? []
    return wanted + found.filter { tree in !wanted.contains { $0.name == tree.name } }
  }

  /// One for each attribute whose user info names the attributes that a location consists of.
  private mutating func modelTrees() -> [RTreeLayout] {
    var trees: [RTreeLayout] = []
    for (entity, _) in numbering.numbered {
      for attribute in entity.attributes {
        guard let components = attribute.userInfo[RTreeLayout.componentsKey] else { continue }
        guard let columns = columns(of: components, in: entity) else {
          risks.append(
            "the R-tree of '\(entity.name).\(attribute.name)' is left out: '\(components)' isn't a"
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

  /// - Parameter components: `latitude, longitude`
  private func columns(of components: String, in entity: Entity) -> [String]? {
    let names = components.split(separator: ",").map { name in
      String(name.drop { $0 == " " }.prefix { $0 != " " })
    }
    let owners = [entity] + model.ancestors(of: entity)
    let columns = names.compactMap { name in
      owners.lazy.compactMap { attributes[PropertyKey($0.name, name)]?.column }.first
    }
    guard columns.count == names.count, Set(columns).count == columns.count,
      RTreeLayout.dimensions.contains(columns.count)
    else { return nil }
    return columns
  }
}

extension LayoutBuilder {
  /// Attributes by name, then to-one relationships by name: in that order they take their names.
  mutating func placeProperties(of entity: Entity, _ number: Int64) {
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
    _ relationship: Relationship, of entity: Entity, _ number: Int64
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

  /// A to-many without an inverse keeps its owner in a column of the members' table that the model
  /// does not name: `Z<n><NAME>`, n being the owner's number.
  mutating func placeHiddenKeys(of entity: Entity, _ number: Int64) {
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

  private func isHidden(_ relationship: Relationship, of entity: Entity) -> Bool {
    relationship.isToMany && !relationship.isTransient
      && model.sharedInverse(of: relationship, declaredBy: entity) == nil
  }

  /// The place in an ordered to-many is kept beside the to-one that leads back.
  mutating func placeOrderColumns(of entity: Entity, _ number: Int64) {
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

  /// A to-many with a to-one inverse is read from the inverse's column.
  mutating func placeToMany(of entity: Entity) {
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
  /// The column of a property, where no other property has taken that name.
  fileprivate var columnName: String {
    // A composite's element: no store shows its column, so this form is a guess.
    "Z" + uppercased().map { $0 == "." ? "_" : String($0) }.joined()
  }
}

/// A property by the entity that declares it; sub-entities share its column.
struct PropertyKey: Hashable {
  var entity: String
  var property: String

  init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }
}
