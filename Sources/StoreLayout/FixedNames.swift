package import SQLiteAccess

/// The names of Core Data's own columns and tables.
package enum FixedColumn {
  package static let primaryKey = "Z_PK"
  package static let entity = "Z_ENT"
  /// The number of saves that changed a row, from 1.
  package static let version = "Z_OPT"
  /// In `Z_PRIMARYKEY`: the highest used `Z_PK` of a root entity and its subentities.
  package static let highestKey = "Z_MAX"
  /// In `Z_PRIMARYKEY`.
  package static let entityName = "Z_NAME"
  /// In `Z_PRIMARYKEY`: the number of the parent.
  package static let parent = "Z_SUPER"
  /// In `Z_METADATA`, like the next two.
  static let metadataVersion = "Z_VERSION"
  package static let uuid = "Z_UUID"
  package static let propertyList = "Z_PLIST"
  /// In `Z_MODELCACHE`.
  package static let content = "Z_CONTENT"

  /// In a join table: the positions of the rows that a column such as `Z_2TAGS` refers to.
  package static func order(beside column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }
}

package enum FixedTable {
  package static let primaryKeys = "Z_PRIMARYKEY"
  package static let metadata = "Z_METADATA"
  package static let modelCache = "Z_MODELCACHE"

  package static let all = [primaryKeys, metadata, modelCache]

  /// The columns of `Z_METADATA`.
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

/// The tables of `NSPersistentCloudKitContainer` with the state of the cloud: names of records and zones, encoded
/// records, events. They aren't in a known store. Their names have a common prefix.
package enum CloudTables {
  package static let prefix = "ANSCK"
}

/// `Z_OPT`, which is incremented with each save that changes a row.
///
/// After the greatest integer follows 1. Core Data detects changes by others by a different number, so the number must
/// change, and a greater number would be a REAL that can't be incremented.
package enum RowVersions {
  /// `Z_OPT = Z_OPT % 9223372036854775807 + 1`
  package static let raising: SQL = "\(name: FixedColumn.version) = \(next())"

  /// The version after a row's own. NULL for NULL.
  ///
  /// - Parameter table: the table's name, if the column must be qualified.
  package static func next(of table: String? = nil) -> SQL {
    let version = table.map { SQL.name($0, FixedColumn.version) } ?? .name(FixedColumn.version)
    return "\(version) % 9223372036854775807 + 1"
  }
}

/// `Z_FOK_…`: the position of a member in an ordered relationship. Core Data leaves gaps of 1024, and begins at 2048.
package enum OrderPlaces {
  /// Returns the position value of a member by its index, which counts from 0.
  package static func place(at position: Int64) -> Int64 { 2048 + 1024 * position }

  /// - Parameter position: SQL in parentheses unless it is a name or a call.
  package static func place(at position: SQL) -> SQL { "2048 + 1024 * \(position)" }

  /// Returns the position value of a member after the others.
  ///
  /// - Parameters:
  ///   - number: the number of the new member, which counts from 1.
  ///   - last: the position value of the last other member, or NULL.
  package static func place(ofNext number: SQL, behind last: SQL) -> SQL {
    "1024 * \(number) + coalesce(\(last), 1024)"
  }

  /// Returns the index after the member with a position value, or 0 for NULL.
  package static func position(behind place: SQL) -> SQL {
    "coalesce((\(place) - 2048) / 1024 + 1, 0)"
  }

  /// Returns the last position value after which others can be added. A damaged value that is too large is ignored,
  /// because a REAL would follow the greatest integer.
  ///
  /// - Parameter place: the column.
  /// - Returns: an aggregate, which is NULL without members.
  package static func last(_ place: SQL) -> SQL {
    let limit = SQL.value(.integer(KeyRange.limit))
    return "max(CAST(\(place) AS INTEGER)) FILTER (WHERE \(place) BETWEEN 0 AND \(limit))"
  }
}

/// The range of primary keys.
package enum KeyRange {
  /// Above this limit, the next keys of a transaction might not fit in 64 bits.
  package static let limit = Int64.max >> 1
}
