import SQLiteAccess
import StoreCore
import StoreLayout

/// Rows of the store that the input names or changes: what the summary counts, and whose versions go up.
extension ImportLinks {
  /// How a row changes.
  enum Change: Int64 {
    case values = 0
    case links = 1
    /// A hidden key in it, which stands for a to-many of another row.
    case hidden = 2
  }

  /// - `import_changed`: rows that change, with each `Change`. New rows may be among them.
  /// - `import_met`: rows that objects of the input turned out to be.
  static let changedTables: [(name: String, columns: SQL)] = [
    (
      "import_changed",
      "(entity INTEGER, k INTEGER, what INTEGER, PRIMARY KEY (entity, k, what)) WITHOUT ROWID"
    ),
    ("import_met", "(entity INTEGER, k INTEGER, PRIMARY KEY (entity, k)) WITHOUT ROWID"),
  ]

  /// - Parameter rows: a SELECT of `Z_ENT` and `Z_PK`.
  static func noting(_ change: Change, _ rows: SQL) -> SQL {
    """
    INSERT OR IGNORE INTO temp.import_changed \
    SELECT *, \(value: .integer(change.rawValue)) FROM (\(rows))
    """
  }

  /// - Parameter rows: a SELECT of `Z_ENT` and `Z_PK` of rows of the store.
  static func notingMet(_ rows: SQL) -> SQL {
    "INSERT OR IGNORE INTO temp.import_met SELECT * FROM (\(rows))"
  }

  /// The rows of the store by what happened to them, each counted once.
  struct Counts {
    /// By entity, rows whose values changed.
    var updated: [String: Int] = [:]
    /// By entity, rows of which only relationships changed.
    var relinked: [String: Int] = [:]
    /// Rows that the input names and that stayed as they were.
    var unchanged = 0
  }

  /// Raises the version of each row of the store that changed, and counts them; to be called when all is written.
  func settleChanged(in layout: StoreLayout, keys: KeyAllocator) throws(DatabaseError) -> Counts {
    try forgetNewRows(in: layout, keys: keys)
    for table in layout.tables {
      let numbers = layout.entities.filter { $0.table == table.name }.map(\.number)
      let list = numbers.map { SQL.value(.integer($0)) }.joined(", ")
      try connection.run(
        """
        UPDATE \(name: table.name) SET \(RowVersions.raising) \
        WHERE \(name: FixedColumn.primaryKey) IN \
        (SELECT k FROM temp.import_changed WHERE entity IN (\(list)))
        """)
    }
    let changed: SQL = """
      SELECT entity, min(what) AS what FROM temp.import_changed WHERE what < 2 GROUP BY entity, k
      """
    var counts = Counts()
    for row in try connection.rows(
      "SELECT entity, what, count(*) FROM (\(changed)) GROUP BY entity, what")
    {
      guard let number = row[0].integer, let count = row[2].integer,
        let entity = layout.entity(numbered: number)?.name
      else { continue }
      if row[1] == .integer(Change.values.rawValue) {
        counts.updated[entity] = Int(count)
      } else {
        counts.relinked[entity] = Int(count)
      }
    }
    counts.unchanged = Int(
      try connection.integer(
        """
        SELECT count(*) FROM temp.import_met AS m WHERE NOT EXISTS (SELECT 1 \
        FROM temp.import_changed AS c WHERE c.entity = m.entity AND c.k = m.k AND c.what < 2)
        """))
    return counts
  }

  /// A new row is inserted, whatever is linked to it afterwards.
  private func forgetNewRows(in layout: StoreLayout, keys: KeyAllocator) throws(DatabaseError) {
    for entity in layout.entities {
      let last = keys.lastOldKey(of: entity, in: layout)
      guard last < .max else { continue }
      try connection.run(
        """
        DELETE FROM temp.import_changed WHERE entity = \(value: .integer(entity.number)) \
        AND k > \(value: .integer(last))
        """)
    }
  }
}

extension KeyAllocator {
  /// The highest key of rows of an entity's tree before the import.
  func lastOldKey(of entity: EntityLayout, in layout: StoreLayout) -> Int64 {
    layout.entity(named: entity.root).map { lastOldKey(root: $0.number) } ?? .max
  }
}
