package import StoreDiagnostics

/// The tables, indexes, triggers, views and virtual tables of a database (https://www.sqlite.org/schematab.html).
package struct DatabaseSchema: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var declaredType: String
    package var defaultText: String?
    package var isRequired: Bool
    /// The position in the primary key, which counts from 1, or 0 for other columns.
    package var keyPosition: Int64

    package init(
      name: String, declaredType: String, defaultText: String? = nil, isRequired: Bool = false,
      keyPosition: Int64 = 0
    ) {
      self.name = name
      self.declaredType = declaredType
      self.defaultText = defaultText
      self.isRequired = isRequired
      self.keyPosition = keyPosition
    }
  }

  package struct Index: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
      /// The name of the column, or nil for an expression.
      package var column: String?
      package var isAscending: Bool

      package init(column: String?, isAscending: Bool = true) {
        self.column = column
        self.isAscending = isAscending
      }
    }

    package var name: String
    package var parts: [Part]
    package var isUnique: Bool
    package var isPartial: Bool
    /// `CREATE INDEX …`, or nil for SQLite's index of a PRIMARY KEY or UNIQUE clause.
    package var definition: String?

    package init(
      name: String, parts: [Part], isUnique: Bool = false, isPartial: Bool = false,
      definition: String?
    ) {
      self.name = name
      self.parts = parts
      self.isUnique = isUnique
      self.isPartial = isPartial
      self.definition = definition
    }
  }

  package struct Table: Hashable, Sendable {
    package var name: String
    /// The columns in the order of the table.
    package var columns: [Column]
    /// The indexes in the order of their creation.
    package var indexes: [Index]
    /// The `CREATE TABLE` statement.
    package var definition: String

    package init(
      name: String, columns: [Column], indexes: [Index] = [], definition: String = ""
    ) {
      self.name = name
      self.columns = columns
      self.indexes = indexes
      self.definition = definition
    }
  }

  package struct Trigger: Hashable, Sendable {
    package var name: String
    package var table: String
    /// The `CREATE TRIGGER` statement.
    package var definition: String

    package init(name: String, table: String, definition: String) {
      self.name = name
      self.table = table
      self.definition = definition
    }
  }

  /// An object other than a table that can be read like a table. It can be endless or unreadable.
  package enum StandIn: String, Hashable, Sendable {
    case view
    case virtualTable = "virtual table"
  }

  /// The tables that store their rows themselves, by name.
  package var tables: ExactDictionary<Table>
  /// The views and virtual tables, by name.
  package var standIns: ExactDictionary<StandIn>
  /// The `CREATE VIRTUAL TABLE` statements, by name.
  package var virtualTables: ExactDictionary<String>
  /// The triggers in the order of their names.
  package var triggers: [Trigger]

  package init(
    tables: ExactDictionary<Table> = [:], standIns: ExactDictionary<StandIn> = [:],
    virtualTables: ExactDictionary<String> = [:], triggers: [Trigger] = []
  ) {
    self.tables = tables
    self.standIns = standIns
    self.virtualTables = virtualTables
    self.triggers = triggers
  }
}

extension DatabaseSchema.Table {
  package var columnNames: [String] { columns.map(\.name) }

  /// The names of the primary key's columns, in the order of the key.
  package var primaryKey: [String] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
  }

  package func hasColumn(_ name: String) -> Bool { columns.contains { $0.name.isExactly(name) } }

  /// Returns whether the primary key or a unique index consists of exactly these columns, in any order. Partial indexes
  /// don't count.
  package func isUnique(_ columns: [String]) -> Bool {
    let wanted = columns.exact
    return primaryKey.exact == wanted
      || indexes.contains { $0.isUnique && !$0.isPartial && $0.columns.exact == wanted }
  }

  /// Returns whether the primary key or an index begins with these columns, in this order.
  package func hasIndex(_ columns: [String]) -> Bool {
    ([primaryKey] + indexes.map(\.columns)).contains { known in
      known.starts(with: columns) { $0.isExactly($1) }
    }
  }
}

extension DatabaseSchema.Index {
  /// The names of the columns, with an empty name for an expression.
  package var columns: [String] { parts.map { $0.column ?? "" } }

  /// Returns whether a change of these columns can change the index, because the index contains one of the columns, an
  /// expression or a condition.
  package func depends(on columns: Set<String>) -> Bool {
    isPartial || parts.contains { part in part.column.map(columns.contains) ?? true }
  }
}

extension DatabaseSchema {
  package func hasTable(_ name: String) -> Bool { tables[name] != nil }

  package func hasColumn(_ column: String, in table: String) -> Bool {
    tables[table]?.hasColumn(column) == true
  }
}
