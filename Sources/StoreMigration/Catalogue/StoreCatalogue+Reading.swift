package import SQLiteAccess
import StoreLayout
import StoreSQL
import StoreEngine

extension StoreCatalogue {
  /// Reads all of it in one state of the store.
  ///
  /// - Throws: `DatabaseError`
  init(of store: Store) throws {
    do {
      self = try store.read { try StoreCatalogue($0) }
    } catch let error as DatabaseError {
      throw error.asDamage
    }
  }

  /// What a layout depends on.
  var schema: StoreSchema {
    StoreSchema(columns: tables.mapValues { $0.columns.map(\.name) }, primaryKeys: primaryKeys)
  }

  /// Reads it from a store.
  ///
  /// - Throws: `DatabaseError`
  package init(_ connection: Connection) throws {
    let primaryKeys = try connection.primaryKeys()
    tables = try Self.tables(connection)
    others = try Self.others(connection)
    indexes = try Self.indexes(connection)
    triggers = try connection.rows(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
    ).map { Trigger(name: $0[0].text, table: $0[1].text, sql: $0[2].text) }
    self.primaryKeys = primaryKeys
    tombstoneCount = tables[HistoryTable.changes]
      .map { HistoryColumn.tombstoneCount(among: $0.columns.map(\.name)) }
    hasModelCache = tables[FixedTable.modelCache] != nil
    highestKeys = [:]
    for table in tables.values where table.primaryKey == [FixedColumn.primaryKey] {
      highestKeys[table.name] = try connection.integer(
        "SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table.name)")
    }
  }

  private static func others(_ connection: Connection) throws -> [String: ForeignNames.Kind] {
    let rows = try connection.rows(
      """
      SELECT m.name, m.type FROM sqlite_master m \
      WHERE m.type IN ('table', 'view') AND NOT \(Connection.isTable)
      """)
    let kinds = rows.map { ($0[0].text.lowercased(), $0[1].text) }
    return Dictionary(kinds, uniquingKeysWith: { first, _ in first })
      .mapValues { $0 == "view" ? .view : .virtualTable }
  }

  private static func tables(_ connection: Connection) throws -> [String: Table] {
    let rows = try connection.rows(
      """
      SELECT m.name, c.name, c.type, c.pk FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE \(Connection.isTable) ORDER BY m.rowid, c.cid
      """)
    let automatic = try connection.rows(
      "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NULL")
    let withAutomatic = Set(automatic.map { $0[0].text })
    return Dictionary(grouping: rows) { $0[0].text }.mapValues { rows in
      let name = rows[0][0].text
      let keys = rows.filter { $0[3].integer > 0 }.sorted { $0[3].integer < $1[3].integer }
      return Table(
        name: name,
        columns: rows.map { ColumnLayout(name: $0[1].text, declaredType: $0[2].text) },
        primaryKey: keys.map { $0[1].text }, hasAutomaticIndex: withAutomatic.contains(name))
    }
  }

  private static func indexes(_ connection: Connection) throws -> [Index] {
    let rows = try connection.rows(
      """
      SELECT m.tbl_name, m.name, l."unique", c.name, c.desc, m.sql FROM sqlite_master m \
      JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name JOIN pragma_index_xinfo(m.name) c \
      WHERE m.type = 'index' AND m.sql IS NOT NULL AND c.key ORDER BY m.rowid, c.seqno
      """)
    return Dictionary(grouping: rows) { $0[1].text }.values.map { rows in
      let columns = rows.map {
        IndexLayout.Column(name: $0[3].text, isAscending: $0[4].integer == 0)
      }
      let text = rows[0][5].text
      return Index(
        table: rows[0][0].text,
        layout: IndexLayout(
          name: rows[0][1].text, isUnique: rows[0][2].integer != 0, columns: columns),
        condition: text.condition)
    }.sorted { $0.layout.name < $1.layout.name }
  }
}

extension String {
  /// The condition of a `CREATE INDEX`, as Core Data and this program write it.
  fileprivate var condition: String? {
    range(of: ") WHERE ").map { String(self[$0.upperBound...]) }
  }

  private func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

extension SQLiteValue {
  var text: String {
    if case .text(let text) = self { text } else { "" }
  }

  var integer: Int64 {
    if case .integer(let number) = self { number } else { 0 }
  }
}
