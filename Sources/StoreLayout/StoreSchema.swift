package import SQLiteAccess
import StoreDiagnostics

/// What a store file says of its own form: SQLite's schema and `Z_PRIMARYKEY`. A layout, and what is missing of it
/// (`SchemaGap`), depend on nothing else of a store.
package struct StoreSchema: Hashable, Sendable {
  package var database: DatabaseSchema
  /// By number.
  package var primaryKeys: [PrimaryKeyRow]

  package init(_ database: DatabaseSchema, primaryKeys: [PrimaryKeyRow]) {
    self.database = database
    self.primaryKeys = primaryKeys
  }

  package func hasTable(_ name: String) -> Bool { database.hasTable(name) }

  package func hasColumn(_ column: String, in table: String) -> Bool {
    database.hasColumn(column, in: table)
  }
}

extension Connection {
  package func schema() throws(DatabaseError) -> StoreSchema {
    StoreSchema(try databaseSchema(), primaryKeys: try primaryKeys())
  }
}

/// A row of `Z_PRIMARYKEY`.
package struct PrimaryKeyRow: Hashable, Sendable {
  /// `Z_ENT`
  package var number: Int64
  /// `Z_NAME`; in a store whose entity was renamed in place, it can be the old name.
  package var name: String
  /// `Z_SUPER`: the parent's number, 0 for a root.
  package var parentNumber: Int64
  /// `Z_MAX`: the highest `Z_PK` ever handed out, kept on the root.
  package var highestKey: Int64

  package init(number: Int64, name: String, parentNumber: Int64 = 0, highestKey: Int64 = 0) {
    self.number = number
    self.name = name
    self.parentNumber = parentNumber
    self.highestKey = highestKey
  }

  /// Whether both number the same entity in the same way, whatever keys they have handed out.
  package func isExactly(_ other: PrimaryKeyRow) -> Bool {
    number == other.number && parentNumber == other.parentNumber && name.isExactly(other.name)
  }
}
