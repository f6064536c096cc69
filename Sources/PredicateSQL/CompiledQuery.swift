package import SQLiteAccess
package import StoreModel

/// A SELECT, and how its columns become the values that the user sees.
package struct CompiledQuery: Hashable, Sendable {
  package var sql: SQL
  /// In the order of the output.
  package var columns: [ResultColumn]

  package init(sql: SQL, columns: [ResultColumn]) {
    self.sql = sql
    self.columns = columns
  }

  /// - Parameter sql: selects the keys of rows and the numbers of their entities.
  package init(objectIDs sql: SQL) {
    self.init(
      sql: sql, columns: [.init(name: "objectID", source: .objectID(key: 0, entity: .number(1)))])
  }
}

/// One value of a result row.
package struct ResultColumn: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// The SELECT's column at an index, read by its type.
    case value(Int, AttributeType)
    /// An object ID out of two columns: the `Z_PK`, and what tells the entity.
    case objectID(key: Int, entity: EntitySource)
    /// A list of object IDs out of one text column: `Z_ENT:Z_PK` of each, with commas between.
    case objectIDs(Int)
  }

  package enum EntitySource: Hashable, Sendable {
    /// Every row has this entity.
    case fixed(String)
    /// The SELECT's column at an index holds `Z_ENT`.
    case number(Int)
  }

  package var name: String
  package var source: Source
  /// The stored bytes begin with a mark that says where the value lies (`ExternalValue`).
  package var allowsExternalStorage: Bool

  package init(name: String, source: Source, allowsExternalStorage: Bool = false) {
    self.name = name
    self.source = source
    self.allowsExternalStorage = allowsExternalStorage
  }
}
