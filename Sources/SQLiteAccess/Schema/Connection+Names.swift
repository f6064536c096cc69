extension Connection {
  /// The names of tables, virtual tables and views that go beyond ASCII, so that Unicode can write them
  /// in several ways.
  package func unicodeTableNames() throws(DatabaseError) -> [String] {
    var rows = try prepare(
      """
      SELECT m.name FROM sqlite_master m \
      WHERE m.type IN ('table', 'view') AND m.name GLOB \(Self.beyondASCII) ORDER BY m.name
      """)
    var names: [String] = []
    while try rows.step() { names.append(rows.text(at: 0)) }
    return names
  }

  /// The columns whose names go beyond ASCII, with their tables.
  package func unicodeColumnNames() throws(DatabaseError) -> [(table: String, column: String)] {
    var rows = try prepare(
      """
      SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE \(Self.isTable) AND m.sql GLOB \(Self.beyondASCII) \
      AND c.name GLOB \(Self.beyondASCII) ORDER BY m.rowid, c.cid
      """)
    var names: [(table: String, column: String)] = []
    while try rows.step() { names.append((rows.text(at: 0), rows.text(at: 1))) }
    return names
  }

  /// A pattern for text with a character beyond ASCII.
  private static var beyondASCII: SQL { .value(.text("*[^\u{1}-\u{7F}]*")) }
}
