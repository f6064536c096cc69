package import SQLiteAccess
import StoreDiagnostics

/// The schema of a store: SQLite's schema and the rows of `Z_PRIMARYKEY`. The layout of a model in a store depends only
/// on the model and this schema.
package struct StoreSchema: Hashable, Sendable {
  package var database: DatabaseSchema
  /// The rows of `Z_PRIMARYKEY` in the order of their numbers.
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
  /// The `Z_ENT`.
  package var number: Int64
  /// The `Z_NAME`, which can be the old name of a renamed entity, because a migration can leave the row unchanged.
  package var name: String
  /// The `Z_SUPER`: the number of the parent, or 0 for a root.
  package var parentNumber: Int64
  /// The `Z_MAX`: the highest used `Z_PK`, in the row of the root.
  package var highestKey: Int64

  package init(number: Int64, name: String, parentNumber: Int64 = 0, highestKey: Int64 = 0) {
    self.number = number
    self.name = name
    self.parentNumber = parentNumber
    self.highestKey = highestKey
  }

  /// Returns whether both rows have the same number, parent and name. The highest keys can differ.
  package func isExactly(_ other: PrimaryKeyRow) -> Bool {
    number == other.number && parentNumber == other.parentNumber && name.isExactly(other.name)
  }
}
