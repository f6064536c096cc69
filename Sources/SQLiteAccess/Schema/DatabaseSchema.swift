package import StoreDiagnostics

/// The tables, indexes and triggers of a database, as SQLite has them in its schema
/// (https://www.sqlite.org/schematab.html).
package struct DatabaseSchema: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var declaredType: String
    package var defaultText: String?
    package var isRequired: Bool
    /// The position in the primary key, from 1; 0 outside.
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
      /// Nil for an expression.
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
    /// `CREATE INDEX …`; nil for an index that SQLite keeps for a PRIMARY KEY or UNIQUE clause.
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
    /// In the order of the table.
    package var columns: [Column]
    /// In the order in which they were made.
    package var indexes: [Index]
    /// `CREATE TABLE …`
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
    /// `CREATE TRIGGER …`
    package var definition: String

    package init(name: String, table: String, definition: String) {
      self.name = name
      self.table = table
      self.definition = definition
    }
  }

  /// What is not a table but can be asked like one. It may have no end, or be nothing that this SQLite can read.
  package enum StandIn: String, Hashable, Sendable {
    case view
    case virtualTable = "virtual table"
  }

  /// Tables that hold rows, by name.
  package var tables: ExactDictionary<Table>
  /// By name.
  package var standIns: ExactDictionary<StandIn>
  /// `CREATE VIRTUAL TABLE …` by name.
  package var virtualTables: ExactDictionary<String>
  /// In the order of their names.
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

  /// The columns of the primary key, in its order.
  package var primaryKey: [String] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
  }

  package func hasColumn(_ name: String) -> Bool { columnNames.containsExactly(name) }

  /// Whether two rows with the same values are refused, whatever the order of the columns.
  package func isUnique(_ columns: [String]) -> Bool {
    let wanted = columns.exact
    return primaryKey.exact == wanted
      || indexes.contains { $0.isUnique && !$0.isPartial && $0.columns.exact == wanted }
  }

  /// Whether an index finds rows by these columns.
  package func hasIndex(_ columns: [String]) -> Bool {
    ([primaryKey] + indexes.map(\.columns)).contains { known in
      known.starts(with: columns) { $0.isExactly($1) }
    }
  }
}

extension DatabaseSchema.Index {
  /// An expression counts as a column without a name.
  package var columns: [String] { parts.map { $0.column ?? "" } }

  /// Whether a change of the columns can move rows in the index: it holds one of them, or an expression or a condition
  /// that may speak of them.
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
