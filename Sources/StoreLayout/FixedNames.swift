package import SQLiteAccess

/// The names of Core Data's own columns and tables.
package enum FixedColumn {
  package static let primaryKey = "Z_PK"
  package static let entity = "Z_ENT"
  /// The version of the row: 1 after its insertion, then incremented with each save that changes the row.
  package static let version = "Z_OPT"
  /// In `Z_PRIMARYKEY`: the highest used `Z_PK` of a root entity and its subentities.
  package static let highestKey = "Z_MAX"
  /// In `Z_PRIMARYKEY`: the name of the entity.
  package static let entityName = "Z_NAME"
  /// In `Z_PRIMARYKEY`: the number of the parent entity, or 0 for a root.
  package static let parent = "Z_SUPER"
  // The next three columns are in `Z_METADATA`.
  static let metadataVersion = "Z_VERSION"
  package static let uuid = "Z_UUID"
  package static let propertyList = "Z_PLIST"
  /// In `Z_MODELCACHE`: the compressed archive of the model.
  package static let content = "Z_CONTENT"

  /// Returns the name of the column with the positions of the rows that the key column `column` of a join table refers
  /// to, such as `Z_FOK_2TAGS` for `Z_2TAGS`.
  package static func order(beside column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }
}

package enum FixedTable {
  package static let primaryKeys = "Z_PRIMARYKEY"
  package static let metadata = "Z_METADATA"
  package static let modelCache = "Z_MODELCACHE"

  package static let all = [primaryKeys, metadata, modelCache]

  static let metadataColumns = [
    FixedColumn.metadataVersion, FixedColumn.uuid, FixedColumn.propertyList,
  ]

  /// The columns of `Z_PRIMARYKEY`.
  static let keyColumns = [
    FixedColumn.entity, FixedColumn.entityName, FixedColumn.parent, FixedColumn.highestKey,
  ]
}

/// The tables of persistent history (docs/formats/history.md).
package enum HistoryTable {
  package static let changes = "ACHANGE"
  package static let transactions = "ATRANSACTION"
  package static let strings = "ATRANSACTIONSTRING"

  package static let all = [changes, transactions, strings]
}

/// The tables in which `NSPersistentCloudKitContainer` stores the state of synchronization: names of records and zones,
/// encoded records, events. No known store contains them. Their names have a common prefix.
package enum CloudTables {
  package static let prefix = "ANSCK"
}

/// `Z_OPT`, which is incremented with each save that changes a row.
///
/// The greatest 64-bit integer is followed by 1. SQLite would convert a greater number to a REAL of that size, to which
/// adding 1 has no effect. Core Data would then miss changes, because it recognizes a changed row by its new number.
package enum RowVersions {
  /// The assignment that increments the version: `Z_OPT = Z_OPT % 9223372036854775807 + 1`.
  package static let raising: SQL = "\(name: FixedColumn.version) = \(next())"

  /// Returns SQL for the next version of a row. It is NULL if the version is NULL.
  ///
  /// - Parameter table: the table's name, if the column must be qualified.
  package static func next(of table: String? = nil) -> SQL {
    let version = table.map { SQL.name($0, FixedColumn.version) } ?? .name(FixedColumn.version)
    return "\(version) % 9223372036854775807 + 1"
  }
}

/// `Z_FOK_…`: the position of a member in an ordered relationship. Core Data begins at 2048 and increments by 1024.
package enum OrderPlaces {
  /// Returns the position value of the member with an index, which counts from 0.
  package static func place(at position: Int64) -> Int64 { 2048 + 1024 * position }

  /// Returns SQL for the position value of the member with an index, which counts from 0.
  ///
  /// - Parameter position: the SQL of the index, in parentheses unless it is a name or a call.
  package static func place(at position: SQL) -> SQL { "2048 + 1024 * \(position)" }

  /// Returns SQL for the position value of a new member after the existing members.
  ///
  /// - Parameters:
  ///   - number: the number of the member among the new members, which counts from 1.
  ///   - last: the SQL of the last existing member's position value, which is NULL without members.
  package static func place(ofNext number: SQL, behind last: SQL) -> SQL {
    "1024 * \(number) + coalesce(\(last), 1024)"
  }

  /// Returns SQL for the index that follows the member with the position value `place`. It is 0 if `place` is NULL.
  package static func position(behind place: SQL) -> SQL {
    "coalesce((\(place) - 2048) / 1024 + 1, 0)"
  }

  /// Returns SQL for the greatest position value, after which members can be added. Values below 0 or above
  /// `KeyRange.limit` are ignored as damaged. Adding to a greater value could exceed 64 bits.
  ///
  /// - Parameter place: the column with the position values.
  /// - Returns: an aggregate, which is NULL without such values.
  package static func last(_ place: SQL) -> SQL {
    let limit = SQL.value(.integer(KeyRange.limit))
    return "max(CAST(\(place) AS INTEGER)) FILTER (WHERE \(place) BETWEEN 0 AND \(limit))"
  }
}

/// The range of primary keys.
package enum KeyRange {
  /// The greatest key that is accepted. After a greater key, the next keys of a transaction might not fit in 64 bits.
  package static let limit = Int64.max >> 1
}
