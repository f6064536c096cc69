import PredicateSQL
package import StoreLayout
package import SQLiteAccess

/// A column in which rows that the deletion doesn't remove (remaining rows) can refer to deleted rows.
package struct Reference: Hashable, Sendable {
  package enum Fate: Hashable, Sendable {
    /// The column becomes NULL.
    case cleared
    /// The column keeps the key of the deleted row.
    case dangles
  }

  /// The name of the column's relationship, such as `Item.list`, or `List.items` for a to-many relationship without an
  /// inverse.
  package let name: String
  /// The name of the relationship without its entity, such as `list`. Nil for a to-many relationship without an
  /// inverse, because the rows with the column don't have such a property.
  let property: String?
  package let fate: Fate
  /// Whether the relationship is to-one and required.
  let isRequired: Bool
  package let table: String
  /// The numbers of the entities whose rows use the column, or nil for all entities of the table.
  let holders: [Int64]?
  let column: String
  let entityColumn: String?
  let orderColumn: String?
  /// The deleted rows to which the column can refer.
  let target: DeletedRows
  /// The deleted rows of the table with the column, or nil if all its rows remain.
  let deleted: DeletedRows?

  /// The condition for remaining rows that refer to a deleted row.
  var condition: SQL {
    var all: [SQL] = ["\(name: column) IN (\(target.keys))"]
    if let holders {
      // The unary plus prevents the use of the index on Z_ENT.
      all.append(PredicateCompiler.isOne(of: holders, "+\(name: FixedColumn.entity)"))
    }
    if let deleted { all.append("\(name: FixedColumn.primaryKey) NOT IN (\(deleted.keys))") }
    return all.joined(" AND ")
  }

  /// The columns that are cleared: the column, and the columns that only have a meaning together with it.
  var columns: [String] { [column, entityColumn, orderColumn].compactMap(\.self) }

  /// Returns the UPDATE that clears the columns.
  ///
  /// - Parameter raisesVersion: whether the statement also increments `Z_OPT`.
  func clearing(raisesVersion: Bool) -> SQL {
    let versions: SQL = raisesVersion ? ", \(RowVersions.raising)" : ""
    return "UPDATE \(name: table) SET \(SQL.clearing(columns))\(versions) WHERE \(condition)"
  }
}

/// A many-to-many relationship in which remaining rows, the owners, can have deleted members.
package struct Membership: Hashable, Sendable {
  /// The relationship, such as `Group.people`.
  package let name: String
  let property: String
  let join: ToManyLayout.Join
  package let table: String
  let members: DeletedRows
  /// The deleted rows of the owners' table.
  let deleted: DeletedRows?

  /// The condition for links that are deleted while their owner remains.
  var condition: SQL {
    let gone: SQL = "\(name: join.destinationColumn) IN (\(members.keys))"
    guard let deleted else { return gone }
    return "\(gone) AND \(name: join.sourceColumn) NOT IN (\(deleted.keys))"
  }

  var owners: SQL {
    "SELECT \(name: join.sourceColumn) FROM \(name: join.table) WHERE \(condition)"
  }
}

/// A to-many relationship in which remaining rows, the owners, can lose deleted members that refer to them. Core Data
/// treats such an owner as changed, although its columns don't change (docs/formats/history.md).
package struct MemberLoss: Hashable, Sendable {
  let property: String
  package let table: String
  let members: DeletedRows
  /// The column in which the members refer to their owner.
  let column: String
  /// The deleted rows of the owners' table.
  let deleted: DeletedRows?

  var owners: SQL {
    let lost: SQL = """
      SELECT \(name: column) FROM \(name: members.table) \
      WHERE \(name: FixedColumn.primaryKey) IN (\(members.keys)) AND \(name: column) NOT NULL
      """
    guard let deleted else { return lost }
    return "\(lost) AND \(name: column) NOT IN (\(deleted.keys))"
  }
}

/// A to-many relationship with a minimum number of members, in which remaining rows can have too few members after the
/// deletion.
package struct MemberShortage: Hashable, Sendable {
  let rule: MemberCountRule
  let members: DeletedRows
  /// The deleted rows of the owners' table.
  let deleted: DeletedRows?

  /// A SELECT of the remaining rows that would have too few members, as `entity` and `key`.
  var owners: SQL {
    let key: SQL = "o.\(name: FixedColumn.primaryKey)"
    var all: [SQL] = ["\(key) IN (\(rule.owners(losing: members)))"]
    if let deleted { all.append("\(key) NOT IN (\(deleted.keys))") }
    let few = rule.violations(where: all.joined(" AND "), outside: members)
    return "SELECT entity, key FROM (\(few)) WHERE count < \(.number(Int64(rule.minimum)))"
  }
}

/// A join table from which the links of deleted rows are removed.
package struct JoinCleaning: Hashable, Sendable {
  package struct End: Hashable, Sendable {
    let column: String
    let deleted: DeletedRows
  }

  package let table: String
  let ends: [End]

  var statements: [SQL] {
    // If all rows of one of the two linked tables are deleted, all links are removed.
    guard !ends.contains(where: \.deleted.isWhole) else { return ["DELETE FROM \(name: table)"] }
    return ends.map {
      "DELETE FROM \(name: table) WHERE \(name: $0.column) IN (\($0.deleted.keys))"
    }
  }
}

/// A column whose values can be in external files.
package struct ExternalColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }

  /// Returns the columns of entities that allow external storage.
  package static func all(of entities: [EntityLayout]) -> [ExternalColumn] {
    let found = entities.flatMap { entity in
      entity.attributes.values.filter(\.allowsExternalStorage).map {
        ExternalColumn(table: entity.table, column: $0.column)
      }
    }
    return Set(found).sorted { ($0.table, $0.column) < ($1.table, $1.column) }
  }

  /// The condition for a value that is stored in a file: the byte 2 and a name of 36 bytes, followed by a NUL or
  /// nothing (`ExternalValue`). Only files with such names are read or removed (`ExternalFolder.isFileName`).
  var isFile: SQL {
    "\(isMarked) AND substr(\(name: column), 38, 1) IN (x'', x'00')"
  }
  /// The condition for a value that begins with the byte 2, even if the name after it is damaged. If a
  /// remaining row has such a value, the file to which it may refer is kept.
  package var isMarked: SQL {
    "substr(\(name: column), 1, 1) = \(value: .blob([ExternalValue.fileMark]))"
  }
  private var file: SQL { "substr(\(name: column), 2, 36)" }
  /// The name of the file as text.
  package var fileText: SQL { "CAST(\(file) AS TEXT)" }
  /// The text after the byte 2, at most 37 bytes: a name and one byte more.
  package var markedText: SQL { "CAST(substr(\(name: column), 2, 37) AS TEXT)" }

  func files(of deleted: DeletedRows) -> SQL {
    """
    INSERT OR IGNORE INTO temp.deleted_file SELECT \(file) FROM \(name: table) \
    WHERE \(name: FixedColumn.primaryKey) IN (\(deleted.keys)) AND \(isFile)
    """
  }

  /// Returns the statement that keeps the files of remaining rows: it removes their names from the list of files to
  /// delete.
  ///
  /// - Parameter deleted: the rows to delete, or nil if they are already deleted.
  func sparing(outside deleted: DeletedRows? = nil) -> SQL {
    let stays: SQL =
      deleted.map { " AND \(name: FixedColumn.primaryKey) NOT IN (\($0.keys))" } ?? ""
    return """
      DELETE FROM temp.deleted_file WHERE name IN \
      (SELECT \(file) FROM \(name: table) WHERE \(isMarked)\(stays))
      """
  }

  static let creation: [SQL] = [
    "DROP TABLE IF EXISTS temp.deleted_file",
    "CREATE TEMP TABLE deleted_file (name BLOB PRIMARY KEY) WITHOUT ROWID",
  ]
}
