package import SQLiteAccess
package import StoreModel

/// A SELECT, and the result columns whose values are read from its columns.
package struct CompiledQuery: Hashable, Sendable {
  package var sql: SQL
  /// The result columns in the order of the output.
  package var columns: [ResultColumn]

  package init(sql: SQL, columns: [ResultColumn]) {
    self.sql = sql
    self.columns = columns
  }

  /// Creates a query for object IDs.
  ///
  /// - Parameter sql: a SELECT of the rows' keys and entity numbers.
  package init(objectIDs sql: SQL) {
    self.init(
      sql: sql, columns: [.init(name: "objectID", source: .objectID(key: 0, entity: .number(1)))])
  }
}

/// A column of the result, and the columns of the SELECT that contain its values.
package struct ResultColumn: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A value from the SELECT's column at an index, with the value's type.
    case value(Int, AttributeType)
    /// An object ID. `key` is the index of the SELECT's column with the `Z_PK`.
    case objectID(key: Int, entity: EntitySource)
    /// A list of object IDs from one text column: the `Z_ENT:Z_PK` of each, separated by commas.
    case objectIDs(Int)
  }

  package enum EntitySource: Hashable, Sendable {
    /// All rows have this entity.
    case fixed(String)
    /// The SELECT's column at an index contains `Z_ENT`.
    case number(Int)
  }

  package var name: String
  package var source: Source
  /// Whether the stored bytes begin with a marker for the location of the value (`ExternalValue`).
  package var allowsExternalStorage: Bool

  package init(name: String, source: Source, allowsExternalStorage: Bool = false) {
    self.name = name
    self.source = source
    self.allowsExternalStorage = allowsExternalStorage
  }
}
