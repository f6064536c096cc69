package import SQLiteAccess
package import StoreModel

/// A SELECT, and the conversion of its columns to output values.
package struct CompiledQuery: Hashable, Sendable {
  package var sql: SQL
  /// The columns in the order of the output.
  package var columns: [ResultColumn]

  package init(sql: SQL, columns: [ResultColumn]) {
    self.sql = sql
    self.columns = columns
  }

  /// - Parameter sql: a SELECT of primary keys and entity numbers.
  package init(objectIDs sql: SQL) {
    self.init(
      sql: sql, columns: [.init(name: "objectID", source: .objectID(key: 0, entity: .number(1)))])
  }
}

/// A value of a result row.
package struct ResultColumn: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A column of the SELECT, read by its type.
    case value(Int, AttributeType)
    /// An object ID from two columns: `Z_PK`, and the entity.
    case objectID(key: Int, entity: EntitySource)
    /// A list of object IDs from a text column, which contains `Z_ENT:Z_PK` of each object, separated by commas.
    case objectIDs(Int)
  }

  package enum EntitySource: Hashable, Sendable {
    /// All rows have this entity.
    case fixed(String)
    /// A column of the SELECT contains `Z_ENT`.
    case number(Int)
  }

  package var name: String
  package var source: Source
  /// Whether the stored bytes begin with a byte that specifies the location of the value (`ExternalValue`).
  package var allowsExternalStorage: Bool

  package init(name: String, source: Source, allowsExternalStorage: Bool = false) {
    self.name = name
    self.source = source
    self.allowsExternalStorage = allowsExternalStorage
  }
}
