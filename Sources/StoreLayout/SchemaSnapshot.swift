package import SQLiteAccess
import StoreSQL

/// What SQLite's catalogue says of a store's tables of entities and relationships, in a form that
/// does not show how the store came to them: quotes that `ALTER TABLE` has added are gone.
package struct SchemaSnapshot: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var declaredType: String
    package var defaultText: String?
    package var isRequired: Bool
    /// The place in the primary key, from 1; 0 outside.
    package var keyPlace: Int64

    package init(
      name: String, declaredType: String, defaultText: String? = nil, isRequired: Bool,
      keyPlace: Int64
    ) {
      self.name = name
      self.declaredType = declaredType
      self.defaultText = defaultText
      self.isRequired = isRequired
      self.keyPlace = keyPlace
    }
  }

  /// In the order of the table.
  package var tables: [String: [Column]] = [:]
  /// `CREATE INDEX` by name.
  package var indexes: [String: String] = [:]
  /// `CREATE TRIGGER` by name.
  package var triggers: [String: String] = [:]

  /// Core Data's own tables, and SQLite's, are not among those of entities and relationships.
  package static let ownTables: Set<String> = [
    FixedTable.primaryKeys, FixedTable.metadata, FixedTable.modelCache, HistoryTable.changes,
    HistoryTable.transactions, HistoryTable.strings,
  ]

  /// - Parameter foreign: tables and views that are none of Core Data's; neither they nor what is on them is read.
  package init(
    of connection: Connection, besides foreign: Set<String> = []
  ) throws(DatabaseError) {
    var objects = try connection.prepare(
      """
      SELECT m.type, m.name, m.tbl_name, m.sql FROM sqlite_master m \
      WHERE m.sql IS NOT NULL AND (m.type <> 'table' OR \(Connection.isTable)) ORDER BY m.rowid
      """)
    while try objects.step() {
      let (name, text) = (objects.text(at: 1), Self.plain(objects.text(at: 3)))
      let table = objects.text(at: 2)
      guard Self.isCompared(table), !foreign.contains(table) else { continue }
      switch objects.text(at: 0) {
      case "table": tables[name] = try connection.columns(of: name)
      case "index": indexes[name] = text
      case "trigger": triggers[name] = text
      default: continue
      }
    }
  }

  private static func isCompared(_ table: String) -> Bool {
    !ownTables.contains(table) && !table.hasPrefix("sqlite_")
  }

  /// The names of `tables` alone, and of all that there is like tables.
  package static func tableNames(of connection: Connection) throws(DatabaseError) -> Set<String> {
    var names: Set<String> = []
    var rows = try connection.prepare(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    while try rows.step() {
      let name = rows.text(at: 0)
      if isCompared(name) { names.insert(name) }
    }
    return names
  }

  /// The catalogue of a fresh store.
  ///
  /// - Throws: `DatabaseError`
  package init(of layout: StoreLayout) throws {
    self = try Database(uri: ":memory:", path: ":memory:", .writing).write { connection in
      for statement in layout.statements { try connection.define(statement) }
      return try SchemaSnapshot(of: connection)
    }
  }

  /// Plain words without their quotes, one space for each gap; literals as they are.
  package static func plain(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    func isGap(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"):
        let literal = rest.prefix { $0 != byte }
        result += [byte] + literal
        rest = rest.dropFirst(literal.count)
        if rest.popFirst() != nil { result.append(byte) }
      case UInt8(ascii: "\""):
        let name = rest.prefix { $0 != byte }
        rest = rest.dropFirst(name.count + 1)
        result += SQL.quoted(String(decoding: name, as: UTF8.self)).utf8
      case _ where isGap(byte):
        rest = rest.drop(while: isGap)
        if !result.isEmpty, !rest.isEmpty { result.append(0x20) }
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension Connection {
  fileprivate func columns(of table: String) throws(DatabaseError) -> [SchemaSnapshot.Column] {
    var rows = try prepare(
      """
      SELECT name, type, dflt_value, "notnull", pk FROM pragma_table_info(\(value: .text(table))) \
      ORDER BY cid
      """)
    var columns: [SchemaSnapshot.Column] = []
    while try rows.step() {
      columns.append(
        SchemaSnapshot.Column(
          name: rows.text(at: 0), declaredType: rows.text(at: 1),
          defaultText: rows.isNull(at: 2) ? nil : rows.text(at: 2),
          isRequired: rows.integer(at: 3) != 0, keyPlace: rows.integer(at: 4)))
    }
    return columns
  }
}
