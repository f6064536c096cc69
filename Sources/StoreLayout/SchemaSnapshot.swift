package import SQLiteAccess
package import StoreDiagnostics

/// The tables of entities and relationships in a store's schema, with their indexes and triggers. The statements have a
/// uniform form without the quotes that `ALTER TABLE` adds, so that a migrated store can be compared with a new one.
package struct SchemaSnapshot: Hashable, Sendable {
  /// The columns of each table in the order of the table, by the table's name.
  package var tables: ExactDictionary<[DatabaseSchema.Column]>
  /// The `CREATE INDEX` statements by name.
  package var indexes: ExactDictionary<String>
  /// The `CREATE TRIGGER` statements by name.
  package var triggers: ExactDictionary<String>

  /// Core Data's own tables, which don't belong to entities and relationships. SQLite's own tables have the prefix
  /// `sqlite_` instead.
  package static let ownTables = Set(FixedTable.all + HistoryTable.all)

  /// Creates the snapshot of a schema.
  ///
  /// - Parameter foreign: the names of tables and views that Core Data hasn't created. They are ignored, including
  ///   their indexes and triggers.
  package init(of schema: DatabaseSchema, besides foreign: Set<ExactText> = []) {
    func isCompared(_ table: String) -> Bool {
      Self.isCompared(table) && !foreign.contains(ExactText(table))
    }
    let compared = schema.tables.filter { isCompared($0.key) }
    tables = compared.mapValues(\.columns)
    let indexes = compared.values.flatMap(\.indexes).compactMap { index in
      index.definition.map { (index.name, Self.plain($0)) }
    }
    let triggers = schema.triggers.filter { isCompared($0.table) }
      .map { ($0.name, Self.plain($0.definition)) }
    self.indexes = ExactDictionary(indexes, uniquingKeysWith: { first, _ in first })
    self.triggers = ExactDictionary(triggers, uniquingKeysWith: { first, _ in first })
  }

  private static func isCompared(_ table: String) -> Bool {
    !ownTables.contains(table) && !table.hasPrefix("sqlite_")
  }

  /// Returns the names of the tables, views and virtual tables in a schema, without the own tables of Core Data and
  /// SQLite.
  package static func tableNames(of schema: DatabaseSchema) -> Set<ExactText> {
    (schema.tables.keys + schema.standIns.keys).filter(isCompared).exact
  }

  /// Creates the snapshot of a new store with this layout. The store is created in memory.
  ///
  /// - Throws: `DatabaseError`
  package init(of layout: StoreLayout) throws {
    self = try Database(uri: ":memory:", path: ":memory:", .writing).write { connection in
      for statement in layout.statements { try connection.define(statement) }
      return SchemaSnapshot(of: try connection.databaseSchema())
    }
  }

  /// Returns SQL without unnecessary quotes around names, and with a single space instead of each run of white space.
  /// Literals remain unchanged.
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

extension SchemaSnapshot {
  /// A table, column, index or trigger that differs between two snapshots.
  package struct Difference: Hashable, Sendable {
    /// The name of the table, of the column's table, of the index or of the trigger.
    package var subject: String
    /// The definition in this snapshot, or nil if it is missing. For a whole table, it is the word `table`.
    package var found: String?
    /// The definition in the other snapshot, or nil if it is missing there. For a whole table, it is the word `table`.
    package var expected: String?
  }

  /// Returns the differences from another snapshot. The order of columns is ignored.
  package func differences(to expected: SchemaSnapshot) -> [Difference] {
    (tables.keys + expected.tables.keys).exact.sorted().map(\.text).flatMap { table in
      Self.columnDifferences(of: table, found: tables[table], expected: expected.tables[table])
    } + Self.textDifferences(found: indexes, expected: expected.indexes)
      + Self.textDifferences(found: triggers, expected: expected.triggers)
  }

  private static func columnDifferences(
    of table: String, found: [DatabaseSchema.Column]?, expected: [DatabaseSchema.Column]?
  ) -> [Difference] {
    guard let found, let expected else {
      return [
        Difference(
          subject: table, found: found.map { _ in "table" }, expected: expected.map { _ in "table" }
        )
      ]
    }
    let (before, after) = (found.map(\.text), expected.map(\.text))
    let missing = after.filter { !before.containsExactly($0) }
      .map { Difference(subject: table, found: nil, expected: $0) }
    let superfluous = before.filter { !after.containsExactly($0) }
      .map { Difference(subject: table, found: $0, expected: nil) }
    return superfluous + missing
  }

  private static func textDifferences(
    found: ExactDictionary<String>, expected: ExactDictionary<String>
  ) -> [Difference] {
    (found.keys + expected.keys).exact.sorted().map(\.text).compactMap { name in
      guard !found[name].isExactly(expected[name]) else { return nil }
      return Difference(subject: name, found: found[name], expected: expected[name])
    }
  }
}

extension DatabaseSchema.Column {
  /// The definition of the column, such as `ZNAME VARCHAR`.
  fileprivate var text: String {
    var text = "\(name) \(declaredType)"
    if isRequired { text += " NOT NULL" }
    if let defaultText { text += " DEFAULT \(defaultText)" }
    if keyPosition > 0 { text += ", column \(keyPosition) of the primary key" }
    return text
  }
}
