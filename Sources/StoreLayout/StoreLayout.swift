package import SQLiteAccess
package import StoreModel

/// The layout of a model in a store: tables, columns and entity numbers.
///
/// The layout of a new store depends only on the model. The layout of an existing store
/// (`init(model:configuration:in:)`) also depends on the store's schema, because some choices differ between stores.
package struct StoreLayout: Hashable, Sendable {
  package let model: DataModel
  /// The entities in ascending order of their numbers.
  package internal(set) var entities: [EntityLayout] { didSet { places = Places(self) } }
  /// The tables of entities in the order of their roots' numbers.
  package internal(set) var tables: [TableLayout] { didSet { places = Places(self) } }
  /// The join tables of many-to-many relationships.
  package internal(set) var joinTables: [JoinTableLayout] { didSet { places = Places(self) } }
  /// The triggers that update derived attributes and counting attributes (`CountingTriggers`).
  package internal(set) var triggers: [TriggerLayout]
  /// Derived attributes without triggers.
  package internal(set) var computed: [ComputedAttribute]
  /// The R-trees, which have their own triggers.
  package internal(set) var rTrees: [RTreeLayout]
  /// The companion columns that the store doesn't contain.
  package internal(set) var omissions: [OmittedColumn] = []
  /// Messages about parts of the layout that no known store confirms, such as the columns of composites.
  package internal(set) var risks: [String]
  /// The positions in `entities`, `tables` and `joinTables`.
  var places = Places()

  /// The triggers of derived attributes, counting attributes and R-trees.
  package var allTriggers: [TriggerLayout] { triggers + rTrees.flatMap(\.triggers) }

  package func entity(named name: String) -> EntityLayout? {
    places.byName[name].map { entities[$0] }
  }

  package func entity(numbered number: Int64) -> EntityLayout? {
    places.byNumber[number].map { entities[$0] }
  }

  package func table(named name: String) -> TableLayout? {
    places.tables[name].map { tables[$0] }
  }

  package func joinTable(named name: String) -> JoinTableLayout? {
    places.joinTables[name].map { joinTables[$0] }
  }

  /// Returns the entities whose rows a table can contain, in the order of their numbers, including abstract entities.
  package func entities(in table: String) -> [EntityLayout] {
    places.byTable[table, default: []].map { entities[$0] }
  }

  /// The positions in `entities`, `tables` and `joinTables`. If several have the same name or number, the first one is
  /// used.
  struct Places: Hashable {
    var byName: [String: Int] = [:]
    var byNumber: [Int64: Int] = [:]
    var byTable: [String: [Int]] = [:]
    var tables: [String: Int] = [:]
    var joinTables: [String: Int] = [:]

    init() {}

    init(_ layout: StoreLayout) {
      for (position, entity) in layout.entities.enumerated().reversed() {
        byName[entity.name] = position
        byNumber[entity.number] = position
      }
      byTable = Dictionary(grouping: layout.entities.indices) { layout.entities[$0].table }
      for (position, table) in layout.tables.enumerated().reversed() {
        tables[table.name] = position
      }
      for (position, table) in layout.joinTables.enumerated().reversed() {
        joinTables[table.name] = position
      }
    }
  }
}

/// The layout of an entity in the store.
package struct EntityLayout: Hashable, Sendable {
  package var name: String
  /// The `Z_ENT`.
  package var number: Int64
  /// The name of the root entity, whose row in `Z_PRIMARYKEY` contains `Z_MAX`.
  package var root: String
  /// The number of the parent, or 0 for a root.
  package var parentNumber: Int64
  package var isAbstract: Bool
  /// The table of the root.
  package var table: String
  /// Whether the table can also contain rows of other entities, so that `Z_ENT` must be tested.
  package var sharesTable: Bool
  /// The numbers of the entity and its subentities in ascending order.
  package var subtree: [Int64]
  /// The stored attributes by name, including inherited ones. Elements of composites have names such as `name.element`.
  package var attributes: [String: AttributeColumn]
  /// The to-one relationships by name, including inherited ones, without transient ones.
  package var toOne: [String: ToOneColumn]
  /// The to-many relationships by name, including inherited ones.
  package var toMany: [String: ToManyLayout]
}

/// The column of an attribute.
package struct AttributeColumn: Hashable, Sendable {
  package var column: String
  package var type: AttributeType
  package var isDerived: Bool
  package var allowsExternalStorage: Bool
}

/// The column of a to-one relationship, which contains the destination's `Z_PK`.
package struct ToOneColumn: Hashable, Sendable {
  package var column: String
  package var destination: String
  /// `Z<n>_NAME`, the destination's `Z_ENT`, if the destination has subentities.
  package var entityColumn: String?
  /// `Z_FOK_NAME`, the row's position in the ordered inverse.
  package var orderColumn: String?
}

/// The location of a to-many relationship's members.
package enum ToManyLayout: Hashable, Sendable {
  /// A column of the members' table: the column of the inverse or, without an inverse, a hidden key.
  case column(ForeignKey)
  /// A join table.
  case joinTable(Join)

  package struct ForeignKey: Hashable, Sendable {
    package var destination: String
    /// The table of the members.
    package var table: String
    /// The column with the owner's `Z_PK`.
    package var column: String
    /// The column with the owner's `Z_ENT`, if the owner's entity has subentities and there is an inverse.
    package var entityColumn: String?
    package var orderColumn: String?
  }

  package struct Join: Hashable, Sendable {
    package var destination: String
    package var table: String
    /// The column with the owner's `Z_PK`.
    package var sourceColumn: String
    /// The column with the member's `Z_PK`.
    package var destinationColumn: String
    /// The column with the member's position.
    package var orderColumn: String?
  }

  package var table: String {
    switch self {
    case .column(let key): key.table
    case .joinTable(let join): join.table
    }
  }

  /// The column with the owner's `Z_PK`.
  package var ownerColumn: String {
    switch self {
    case .column(let key): key.column
    case .joinTable(let join): join.sourceColumn
    }
  }

  package var destination: String {
    switch self {
    case .column(let key): key.destination
    case .joinTable(let join): join.destination
    }
  }

  /// The column with a member's position in an ordered relationship.
  package var orderColumn: String? {
    switch self {
    case .column(let key): key.orderColumn
    case .joinTable(let join): join.orderColumn
    }
  }

  /// Whether members have positions.
  package var isOrdered: Bool { orderColumn != nil }
}

/// A table of entity rows.
package struct TableLayout: Hashable, Sendable {
  package var name: String
  /// The root entity.
  package var root: String
  /// The columns in Core Data's order, beginning with `Z_PK`, `Z_ENT` and `Z_OPT`.
  package var columns: [ColumnLayout]
  package var indexes: [IndexLayout]
}

package struct ColumnLayout: Hashable, Sendable {
  package var name: String
  /// The type in `CREATE TABLE`, such as `VARCHAR`, or `INTEGER PRIMARY KEY` for `Z_PK`.
  package var declaredType: String
}

package struct IndexLayout: Hashable, Sendable {
  package var name: String
  package var isUnique: Bool
  package var columns: [Column]
  /// The condition of a partial index.
  package var condition: SQL?

  package struct Column: Hashable, Sendable {
    package var name: String
    /// True for a column with `COLLATE BINARY ASC`, false for a column with `COLLATE BINARY DESC`, or nil for the name
    /// alone, as in indexes on keys.
    package var isAscending: Bool?

    package init(name: String, isAscending: Bool?) {
      self.name = name
      self.isAscending = isAscending
    }
  }

  package init(name: String, isUnique: Bool, columns: [Column], condition: SQL? = nil) {
    self.name = name
    self.isUnique = isUnique
    self.columns = columns
    self.condition = condition
  }
}

/// A companion column of a key, `Z_FOK_…` or `Z<n>_…`, that the model requires but the store doesn't contain.
package struct OmittedColumn: Hashable, Sendable {
  package var table: String
  package var column: String
  package var key: String
}

/// A join table.
package struct JoinTableLayout: Hashable, Sendable {
  package var name: String
  /// The name that Core Data uses for the table. It differs from `name` only in a store that another program, or an
  /// older version of storetool, has written.
  package let usualName: String
  /// The two key columns, then their order columns.
  package var columns: [ColumnLayout]
  package var primaryKey: [String]
  package var index: IndexLayout?

  /// The table with the name that Core Data uses.
  package var named: JoinTableLayout {
    var table = self
    table.name = usualName
    table.index = index.map { _ in Self.index(of: usualName, keys: primaryKey) }
    return table
  }

  static func index(of table: String, keys: [String]) -> IndexLayout {
    IndexLayout(
      name: "\(table)_\(keys[1])_INDEX", isUnique: false,
      columns: keys.reversed().map { .init(name: $0, isAscending: nil) })
  }
}

/// A trigger that updates a derived attribute, a counting attribute or an R-tree.
package struct TriggerLayout: Hashable, Sendable {
  package var name: String
  package var table: String
  package var event: WriteEvent
  /// The `CREATE TRIGGER` statement.
  package var sql: SQL
}

/// A derived attribute without triggers, because no known store contains triggers for its derivation. storetool
/// computes its value when it writes.
package struct ComputedAttribute: Hashable, Sendable {
  package var entity: String
  package var attribute: String
}

extension StoreLayout {
  /// The layout of an existing store, including the store's own choices: entity numbers, the names of join tables, the
  /// numbers of colliding columns in join tables, and companion columns that old frameworks omitted. Columns are
  /// matched by name, not by position.
  package init(
    model: DataModel, configuration: ConfigurationDescription? = nil, in schema: StoreSchema
  ) {
    self.init(LayoutBuilder(model.limited(to: configuration), schema: schema))
  }
}

/// A kind of write to the rows of a table.
package enum WriteEvent: Hashable, Sendable {
  case insert
  /// An update of one of these columns, or each update if the array is empty.
  case update([String])
  case delete

  /// The SQL of the event in a trigger. An update must have columns.
  package var sql: SQL {
    switch self {
    case .insert: "INSERT"
    case .update(let columns): "UPDATE OF \(columns.map(SQL.name).joined(", "))"
    case .delete: "DELETE"
    }
  }
}
