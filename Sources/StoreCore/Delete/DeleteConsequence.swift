import PredicateSQL
import StoreLayout
package import SQLiteAccess

/// A column that may refer to rows that go, in rows that stay.
package struct Reference: Hashable, Sendable {
  package enum Fate: Hashable, Sendable {
    /// Becomes NULL.
    case cleared
    /// Stays, and leads to no row.
    case dangles
  }

  /// The relationship that the column keeps: `Item.list`, or `List.items` where the members have no
  /// relationship back.
  package let name: String
  /// The property of the rows that have the column; nil for a hidden key.
  let property: String?
  package let fate: Fate
  /// A to-one relationship that is not optional.
  let isRequired: Bool
  package let table: String
  /// The entities that have the relationship, by number; nil when all of the table's have.
  let holders: [Int64]?
  let column: String
  let entityColumn: String?
  let orderColumn: String?
  /// What the column refers to.
  let target: DeletedRows
  /// Those rows of its own table that go.
  let deleted: DeletedRows?

  /// The rows that stay and refer to one that goes.
  var condition: SQL {
    var all: [SQL] = ["\(name: column) IN (\(target.keys))"]
    if let holders {
      // The plus keeps the index on Z_ENT out of it.
      all.append(PredicateCompiler.isOne(of: holders, "+\(name: FixedColumn.entity)"))
    }
    if let deleted { all.append("\(name: FixedColumn.primaryKey) NOT IN (\(deleted.keys))") }
    return all.joined(" AND ")
  }

  /// The companions of the column that say something only together with it are cleared, too.
  var columns: [String] { [column, entityColumn, orderColumn].compactMap(\.self) }

  /// - Parameter raisesVersion: adds one to `Z_OPT` in passing.
  func clearing(raisesVersion: Bool) -> SQL {
    var assignments = columns.map { column -> SQL in "\(name: column) = NULL" }
    if raisesVersion { assignments.append(RowVersions.raising) }
    return "UPDATE \(name: table) SET \(assignments.joined(", ")) WHERE \(condition)"
  }
}

/// A many-to-many relationship of rows that stay, with members that go.
package struct Membership: Hashable, Sendable {
  /// `Group.people`
  package let name: String
  let property: String
  let join: ToManyLayout.Join
  package let table: String
  let members: DeletedRows
  /// Those rows of its own table that go.
  let deleted: DeletedRows?

  /// The pairs that go while their owner stays.
  var condition: SQL {
    let gone: SQL = "\(name: join.destinationColumn) IN (\(members.keys))"
    guard let deleted else { return gone }
    return "\(gone) AND \(name: join.sourceColumn) NOT IN (\(deleted.keys))"
  }

  var owners: SQL {
    "SELECT \(name: join.sourceColumn) FROM \(name: join.table) WHERE \(condition)"
  }
}

/// A to-many relationship of rows that stay, whose members that go name their owner themselves. Core Data counts such an
/// owner as changed, although none of its columns is (docs/formats/history.md).
package struct MemberLoss: Hashable, Sendable {
  let property: String
  package let table: String
  let members: DeletedRows
  /// The members' to-one.
  let column: String
  /// Those rows of the owners' table that go.
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

/// A to-many relationship with a minimum, of rows that stay, whose members may go.
package struct MemberShortage: Hashable, Sendable {
  let rule: MemberCountRule
  let members: DeletedRows
  /// Those rows of the owners' table that go.
  let deleted: DeletedRows?

  /// The rows that stay and would have too few, as `entity` and `key`.
  var owners: SQL {
    let key: SQL = "o.\(name: FixedColumn.primaryKey)"
    var all: [SQL] = ["\(key) IN (\(rule.owners(losing: members)))"]
    if let deleted { all.append("\(key) NOT IN (\(deleted.keys))") }
    let few = rule.violations(where: all.joined(" AND "), outside: members)
    return "SELECT entity, key FROM (\(few)) WHERE count < \(.number(Int64(rule.minimum)))"
  }
}

/// A join table that loses the pairs of rows that go.
package struct JoinCleaning: Hashable, Sendable {
  package struct End: Hashable, Sendable {
    let column: String
    let deleted: DeletedRows
  }

  package let table: String
  let ends: [End]

  var statements: [SQL] {
    // Of pairs whose one side is gone altogether none is left.
    guard !ends.contains(where: \.deleted.isWhole) else { return ["DELETE FROM \(name: table)"] }
    return ends.map {
      "DELETE FROM \(name: table) WHERE \(name: $0.column) IN (\($0.deleted.keys))"
    }
  }
}

/// A column whose values may lie in files beside the store.
package struct ExternalColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }

  /// A value that stands in a file: the mark 2, a name, and a NUL or the end (`ExternalValue`). Names
  /// that are read and removed have 36 characters (`ExternalFolder.isFileName`).
  var isFile: SQL {
    "\(isMarked) AND substr(\(name: column), 38, 1) IN (x'', x'00')"
  }
  /// Whatever has the mark, also with a damaged name: enough to spare the file that it may mean.
  package var isMarked: SQL {
    "substr(\(name: column), 1, 1) = \(value: .blob([ExternalValue.fileMark]))"
  }
  private var file: SQL { "substr(\(name: column), 2, 36)" }
  /// The name as text.
  package var fileText: SQL { "CAST(\(file) AS TEXT)" }
  /// What follows a mark, as far as it takes to see whether it is a name: to one character behind it.
  package var markedText: SQL { "CAST(substr(\(name: column), 2, 37) AS TEXT)" }

  func files(of deleted: DeletedRows) -> SQL {
    """
    INSERT OR IGNORE INTO temp.deleted_file SELECT \(file) FROM \(name: table) \
    WHERE \(name: FixedColumn.primaryKey) IN (\(deleted.keys)) AND \(isFile)
    """
  }

  /// Spares the files that a row of this table names and keeps.
  ///
  /// - Parameter deleted: the rows that go, where they have not gone yet.
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
