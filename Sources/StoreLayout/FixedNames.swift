package import SQLiteAccess

/// The names that Core Data gives its own columns and tables.
package enum FixedColumn {
  package static let primaryKey = "Z_PK"
  package static let entity = "Z_ENT"
  /// Counts the saves that changed a row, from 1.
  package static let version = "Z_OPT"
  /// Of `Z_PRIMARYKEY`: the highest `Z_PK` that was handed out in the tree of a root entity.
  package static let highestKey = "Z_MAX"
  /// Of `Z_PRIMARYKEY`.
  package static let entityName = "Z_NAME"
  /// Of `Z_PRIMARYKEY`: the number of the parent.
  package static let parent = "Z_SUPER"
  /// Of `Z_METADATA`, as the next two.
  static let metadataVersion = "Z_VERSION"
  package static let uuid = "Z_UUID"
  package static let propertyList = "Z_PLIST"
  /// Of `Z_MODELCACHE`.
  package static let content = "Z_CONTENT"

  /// Of a join table: the places of the rows that a column, `Z_2TAGS`, refers to.
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

/// The tables in which `NSPersistentCloudKitContainer` keeps what it knows of the cloud: names of records and zones,
/// encoded records, events. No known store shows them; their names begin alike.
package enum CloudTables {
  package static let prefix = "ANSCK"
}

/// `Z_OPT`: one more for each save that changes a row.
///
/// Behind the greatest integer comes 1 again. Core Data takes a row for changed by somebody else when
/// its number differs, so it must not stay; and one more would be a REAL that no other one changes.
package enum RowVersions {
  /// `Z_OPT = Z_OPT % 9223372036854775807 + 1`
  package static let raising: SQL = "\(name: FixedColumn.version) = \(next())"

  /// The version after a row's own; NULL for NULL.
  ///
  /// - Parameter table: where the column needs its table's name.
  package static func next(of table: String? = nil) -> SQL {
    let version = table.map { SQL.name($0, FixedColumn.version) } ?? .name(FixedColumn.version)
    return "\(version) % 9223372036854775807 + 1"
  }
}

/// `Z_FOK_…`: the place of a member in an ordered relationship. Core Data leaves 1024 between neighbors, from 2048 on.
package enum OrderPlaces {
  /// The place of a member by its position, from 0 on.
  package static func place(at position: Int64) -> Int64 { 2048 + 1024 * position }

  /// - Parameter position: in parentheses where it is more than a name or a call.
  package static func place(at position: SQL) -> SQL { "2048 + 1024 * \(position)" }

  /// The place of a member behind others.
  ///
  /// - Parameters:
  ///   - number: which of the new members it is, from 1 on.
  ///   - last: the place of the last of the others; NULL where there is none.
  package static func place(ofNext number: SQL, behind last: SQL) -> SQL {
    "1024 * \(number) + coalesce(\(last), 1024)"
  }

  /// The position behind the member at a place; 0 where that is NULL.
  package static func position(behind place: SQL) -> SQL {
    "coalesce((\(place) - 2048) / 1024 + 1, 0)"
  }

  /// The last place of rows that others can be put behind. One that no member can have come to, a damaged one, does not
  /// count: behind the greatest integer comes a REAL.
  ///
  /// - Parameter place: the column.
  /// - Returns: an aggregate; NULL where there is none.
  package static func last(_ place: SQL) -> SQL {
    let limit = SQL.value(.integer(KeyRange.limit))
    return "max(CAST(\(place) AS INTEGER)) FILTER (WHERE \(place) BETWEEN 0 AND \(limit))"
  }
}

/// The numbers that rows get.
package enum KeyRange {
  /// Above this the next rows of one transaction could run out of 64 bits.
  package static let limit = Int64.max >> 1
}
