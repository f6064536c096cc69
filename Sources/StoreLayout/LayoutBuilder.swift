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
