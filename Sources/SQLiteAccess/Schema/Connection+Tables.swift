extension Connection {
  /// What a row `m` of `sqlite_master` must be to hold rows of its own. A view, or a virtual table, may have no end, or
  /// be nothing that this SQLite can read (https://www.sqlite.org/schematab.html: neither has a root page).
  static var isTable: SQL { "(m.type = 'table' AND m.rootpage > 0)" }

  package func hasTable(_ name: String) throws(DatabaseError) -> Bool {
    try integer(
      """
      SELECT count(*) FROM sqlite_master m \
      WHERE \(Self.isTable) AND m.name = \(value: .text(name))
      """) > 0
  }

  /// By name.
  package func tableNames() throws(DatabaseError) -> [String] {
    var statement = try prepare(
      "SELECT m.name FROM sqlite_master m WHERE \(Self.isTable) ORDER BY m.name")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0)) }
    return names
  }

  /// Empty when there is no such table.
  package func columnNames(of table: String) throws(DatabaseError) -> [String] {
    var statement = try prepare(
      """
      SELECT c.name FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE m.name = \(value: .text(table)) AND \(Self.isTable) ORDER BY c.cid
      """)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0)) }
    return names
  }
}
