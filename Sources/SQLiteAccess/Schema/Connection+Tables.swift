package import StoreDiagnostics

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
    try texts("SELECT m.name FROM sqlite_master m WHERE \(Self.isTable) ORDER BY m.name")
  }

  /// Empty when there is no such table.
  package func columnNames(of table: String) throws(DatabaseError) -> [String] {
    try texts(
      """
      SELECT c.name FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE m.name = \(value: .text(table)) AND \(Self.isTable) ORDER BY c.cid
      """)
  }
}

extension Connection {
  /// The names of tables, virtual tables and views that go beyond ASCII, so that Unicode can write them
  /// in several ways.
  package func unicodeTableNames() throws(DatabaseError) -> [String] {
    try texts(
      """
      SELECT m.name FROM sqlite_master m \
      WHERE m.type IN ('table', 'view') AND m.name GLOB \(Self.beyondASCII) ORDER BY m.name
      """)
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

extension Connection {
  /// The bytes of all pages.
  package func byteCount() throws(DatabaseError) -> Int64 {
    try integer("PRAGMA page_count") * integer("PRAGMA page_size")
  }

  /// The bytes of each table with its indexes; nil where SQLite was built without `dbstat`. Reads every
  /// page.
  package func byteCounts() throws(DatabaseError) -> ExactDictionary<Int64>? {
    guard try integer("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'") > 0 else {
      return nil
    }
    var rows = try prepare(
      """
      SELECT m.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_master m ON m.name = d.name \
      WHERE d.aggregate = TRUE GROUP BY 1
      """)
    var counts: ExactDictionary<Int64> = [:]
    while try rows.step() { counts[rows.text(at: 0)] = rows.integer(at: 1) }
    return counts
  }
}

extension Connection {
  /// The rows of every table that has pages, which virtual ones don't.
  package func rowCounts() throws(DatabaseError) -> ExactDictionary<Int64> {
    var counts: ExactDictionary<Int64> = [:]
    for name in try tableNames() {
      counts[name] = try integer("SELECT count(*) FROM \(name: name)")
    }
    return counts
  }
}

extension Connection {
  /// A virtual table or a view, and SQLite's words on why it can't be asked.
  package struct UnusableTable: Hashable {
    package var name: String
    package var words: String
  }

  /// Tables of an app whose module SQLite does not have, or whose own tables are gone. Nothing is read from them.
  package func unusableTables() throws(DatabaseError) -> [UnusableTable] {
    try unusable(among: names(of: .virtualTable)) { name throws(DatabaseError) in
      var rows = try prepare("SELECT * FROM \(name: name) LIMIT 1")
      _ = try rows.step()
    }
  }

  /// Views that need what is not there. One may have no end, so they are only compiled.
  package func unusableViews() throws(DatabaseError) -> [UnusableTable] {
    try unusable(among: names(of: .view)) { name throws(DatabaseError) in
      _ = try prepare("SELECT * FROM \(name: name) LIMIT 1")
    }
  }

  private func unusable(
    among names: [String], _ attempt: (_ name: String) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> [UnusableTable] {
    var unusable: [UnusableTable] = []
    for name in names {
      do throws(DatabaseError) {
        try attempt(name)
      } catch {
        guard let words = error.words else { throw error }
        unusable.append(UnusableTable(name: name, words: words))
      }
    }
    return unusable
  }

  /// A table that no statement can be compiled for, since its declaration, that of an index or a trigger names what this
  /// SQLite does not have, such as a collation.
  package func firstUncompilableTable() throws(DatabaseError) -> UnusableTable? {
    for name in try tableNames() where !name.hasPrefix("sqlite_") {
      let columns = try columnNames(of: name).map(SQL.name).joined(", ")
      let statements: [SQL] = [
        "SELECT 1 FROM \(name: name) ORDER BY \(columns)",
        "INSERT INTO \(name: name) DEFAULT VALUES",
      ]
      for statement in statements {
        do throws(DatabaseError) {
          _ = try prepare(statement)
        } catch {
          // The table may be one that must not be written to.
          guard let words = error.words else { continue }
          return UnusableTable(name: name, words: words)
        }
      }
    }
    return nil
  }

  private func names(of kind: DatabaseSchema.StandIn) throws(DatabaseError) -> [String] {
    try standIns().filter { $0.value == kind }.keys.sorted()
  }
}
