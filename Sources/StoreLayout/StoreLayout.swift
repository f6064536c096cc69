package import SQLiteAccess
package import StoreModel

/// Where a model's rows and properties lie in a store: tables, columns, entity numbers.
///
/// A pure function of the model, so that `create` and a reader agree; `StoreLayout+Adapting` bends
/// it to a store that Core Data has altered in place.
package struct StoreLayout: Hashable, Sendable {
  package let model: Model
  /// By entity number: `entities[0]` has `Z_ENT` 1.
  package internal(set) var entities: [EntityLayout] { didSet { places = Places(self) } }
  /// Entity tables in the order of their roots' numbers.
  package internal(set) var tables: [TableLayout] { didSet { places = Places(self) } }
  /// Join tables of many-to-many relationships.
  package internal(set) var joinTables: [JoinTableLayout]
  /// Keep derived attributes up to date.
  package internal(set) var triggers: [TriggerLayout]
  /// Derived attributes without triggers.
  package internal(set) var computed: [ComputedAttribute]
  /// With triggers of their own.
  package internal(set) var rTrees: [RTreeLayout]
  /// Of the store that the layout is for.
  package internal(set) var omissions: [OmittedColumn] = []
  /// What no known store settles, for the user to know: reflexive join tables, composites.
  package internal(set) var risks: [String]
  /// Of `entities` and `tables`.
  private var places = Places()

  init(
    model: Model, entities: [EntityLayout], tables: [TableLayout], joinTables: [JoinTableLayout],
    triggers: [TriggerLayout], computed: [ComputedAttribute], rTrees: [RTreeLayout],
    omissions: [OmittedColumn], risks: [String]
  ) {
    self.model = model
    self.entities = entities
    self.tables = tables
    self.joinTables = joinTables
    self.triggers = triggers
    self.computed = computed
    self.rTrees = rTrees
    self.omissions = omissions
    self.risks = risks
    places = Places(self)
  }

  /// Those of derived attributes and of R-trees.
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

  /// The entities whose rows a table may hold, by number; abstract ones are among them.
  package func entities(in table: String) -> [EntityLayout] {
    places.byTable[table, default: []].map { entities[$0] }
  }

  /// The positions in `entities` and `tables`. Of several with one name or number, the first counts.
  private struct Places: Hashable {
    var byName: [String: Int] = [:]
    var byNumber: [Int64: Int] = [:]
    var byTable: [String: [Int]] = [:]
    var tables: [String: Int] = [:]

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
    }
  }
}

/// One entity in the store.
package struct EntityLayout: Hashable, Sendable {
  package var name: String
  /// `Z_ENT`
  package var number: Int64
  /// The root entity's name; `Z_MAX` is kept on its row of `Z_PRIMARYKEY`.
  package var root: String
  /// The parent's number; 0 for a root.
  package var parentNumber: Int64
  package var isAbstract: Bool
  /// The root's table.
  package var table: String
  /// Whether the table holds rows of other entities too, so that `Z_ENT` must be tested.
  package var sharesTable: Bool
  /// The numbers of the entity and of everything below it, ascending.
  package var subtree: [Int64]
  /// Stored attributes by name, inherited ones included. A composite's are `name.element`.
  package var attributes: [String: AttributeColumn]
  /// To-one relationships by name, inherited ones included; transient ones are not here.
  package var toOne: [String: ToOneColumn]
  /// To-many relationships by name, inherited ones included.
  package var toMany: [String: ToManyLayout]
}

/// The column of an attribute.
package struct AttributeColumn: Hashable, Sendable {
  package var column: String
  package var type: AttributeType
  package var isDerived: Bool
  package var allowsExternalStorage: Bool
}

/// The column of a to-one relationship: the destination's `Z_PK`.
package struct ToOneColumn: Hashable, Sendable {
  package var column: String
  package var destination: String
  /// `Z<n>_NAME`, the destination row's `Z_ENT`: there when the destination has sub-entities.
  package var entityColumn: String?
  /// `Z_FOK_NAME`, the row's place in the ordered to-many on the other side.
  package var orderColumn: String?
}

/// Where a to-many relationship finds its members.
package enum ToManyLayout: Hashable, Sendable {
  /// In a column of the members' table: their to-one back, or a hidden key where there is none.
  case column(ForeignKey)
  /// In a join table.
  case joinTable(Join)

  package struct ForeignKey: Hashable, Sendable {
    package var destination: String
    /// The members' table.
    package var table: String
    /// Holds the owner's `Z_PK`.
    package var column: String
    /// Holds the owner's `Z_ENT`, when the owner's entity has sub-entities and an inverse names it.
    package var entityColumn: String?
    package var orderColumn: String?
  }

  package struct Join: Hashable, Sendable {
    package var destination: String
    package var table: String
    /// Holds the owner's `Z_PK`.
    package var sourceColumn: String
    /// Holds the member's `Z_PK`.
    package var destinationColumn: String
    /// Orders the members within their owner.
    package var orderColumn: String?
  }

  package var destination: String {
    switch self {
    case .column(let key): key.destination
    case .joinTable(let join): join.destination
    }
  }

  /// Holds a member's place in an ordered relationship.
  package var orderColumn: String? {
    switch self {
    case .column(let key): key.orderColumn
    case .joinTable(let join): join.orderColumn
    }
  }

  /// Whether members have places.
  package var isOrdered: Bool { orderColumn != nil }
}

/// A table of entity rows.
package struct TableLayout: Hashable, Sendable {
  package var name: String
  /// The root entity.
  package var root: String
  /// In Core Data's order; `Z_PK`, `Z_ENT`, `Z_OPT` first.
  package var columns: [ColumnLayout]
  package var indexes: [IndexLayout]
}

package struct ColumnLayout: Hashable, Sendable {
  package var name: String
  /// As `CREATE TABLE` says: INTEGER, TIMESTAMP, FLOAT, DECIMAL, VARCHAR, BLOB.
  package var declaredType: String

  package init(name: String, declaredType: String) {
    self.name = name
    self.declaredType = declaredType
  }
}

package struct IndexLayout: Hashable, Sendable {
  package var name: String
  package var isUnique: Bool
  package var columns: [Column]
  /// The condition of a partial index.
  package var condition: SQL?

  package struct Column: Hashable, Sendable {
    package var name: String
    /// `COLLATE BINARY ASC|DESC` is written; nil writes the bare name, as the `_INDEX` ones do.
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

/// A column beside a key that the model needs and the store lacks: `Z_FOK_…` or `Z<n>_…`.
package struct OmittedColumn: Hashable, Sendable {
  package var table: String
  package var column: String
  package var key: String
}

/// A table of pairs.
package struct JoinTableLayout: Hashable, Sendable {
  package var name: String
  /// The name under which Core Data looks for the table. It differs from `name` only in a store that
  /// another program, or an older version of this one, has written.
  package let usualName: String
  /// The two key columns, then their order columns.
  package var columns: [ColumnLayout]
  package var primaryKey: [String]
  package var index: IndexLayout?

  /// The same columns in a table that Core Data finds.
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

/// A trigger that keeps a derived or a counting attribute up to date.
package struct TriggerLayout: Hashable, Sendable {
  package var name: String
  package var table: String
  package var event: WriteEvent
  /// The whole `CREATE TRIGGER`.
  package var sql: SQL
}

/// A derived attribute that no trigger of Core Data's keeps in this layout, since no known store shows the form of one.
/// Writers compute it themselves.
package struct ComputedAttribute: Hashable, Sendable {
  package var entity: String
  package var attribute: String
}

extension StoreLayout {
  /// The layout of a store that exists, where it made other choices than we would: entity numbers,
  /// the name of a reflexive join table, the numbers of colliding join columns, companions of to-one
  /// columns that old frameworks left out. Columns are matched by name, never by position.
  package init(model: Model, configuration: Configuration? = nil, in schema: StoreSchema) {
    self.init(LayoutBuilder(model.limited(to: configuration), schema: schema))
  }
}

/// What is done to the rows of a table.
package enum WriteEvent: Hashable, Sendable {
  case insert
  /// Of these columns.
  case update([String])
  case delete

  /// As a trigger names it.
  package var sql: SQL {
    switch self {
    case .insert: "INSERT"
    case .update(let columns): "UPDATE OF \(columns.map(SQL.name).joined(", "))"
    case .delete: "DELETE"
    }
  }
}
