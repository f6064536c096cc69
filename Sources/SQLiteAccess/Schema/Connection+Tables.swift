package import StoreDiagnostics

extension Connection {
  /// The condition that a row `m` of `sqlite_master` describes a table that stores its rows itself. Views and virtual
  /// tables, which can be endless or unreadable, don't have a root page (https://www.sqlite.org/schematab.html).
  static var isTable: SQL { "(m.type = 'table' AND m.rootpage > 0)" }

  package func hasTable(_ name: String) throws(DatabaseError) -> Bool {
    try integer(
      """
      SELECT count(*) FROM sqlite_master m \
      WHERE \(Self.isTable) AND m.name = \(value: .text(name))
      """) > 0
  }

  /// Returns the names of the tables, without views and virtual tables, in the order of their bytes.
  package func tableNames() throws(DatabaseError) -> [String] {
    try texts("SELECT m.name FROM sqlite_master m WHERE \(Self.isTable) ORDER BY m.name")
  }

  /// Returns the names of the columns in the order of the table, or an empty array if the table doesn't exist.
  package func columnNames(of table: String) throws(DatabaseError) -> [String] {
    try texts(
      """
      SELECT c.name FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE m.name = \(value: .text(table)) AND \(Self.isTable) ORDER BY c.cid
      """)
  }
}

extension Connection {
  /// Returns the names of tables, virtual tables and views with characters outside of ASCII, which can have several
  /// Unicode spellings.
  package func unicodeTableNames() throws(DatabaseError) -> [String] {
    try texts(
      """
      SELECT m.name FROM sqlite_master m \
      WHERE m.type IN ('table', 'view') AND m.name GLOB \(Self.beyondASCII) ORDER BY m.name
      """)
  }

  /// Returns the columns whose names have characters outside of ASCII, with their tables.
  package func unicodeColumnNames() throws(DatabaseError) -> [(table: String, column: String)] {
    try map(
      """
      SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE \(Self.isTable) AND m.sql GLOB \(Self.beyondASCII) \
      AND c.name GLOB \(Self.beyondASCII) ORDER BY m.rowid, c.cid
      """
    ) { ($0.text(at: 0), $0.text(at: 1)) }
  }

  /// A pattern for text with a character outside of ASCII.
  private static var beyondASCII: SQL { .value(.text("*[^\u{1}-\u{7F}]*")) }
}

extension Connection {
  /// Returns the number of bytes in all pages.
  package func byteCount() throws(DatabaseError) -> Int64 {
    try integer("PRAGMA page_count") * integer("PRAGMA page_size")
  }

  /// Returns the number of bytes of each table with its indexes, by the table's name, or nil if SQLite was built
  /// without `dbstat`. Reads all pages.
  package func byteCounts() throws(DatabaseError) -> ExactDictionary<Int64>? {
    guard try integer("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'") > 0 else {
      return nil
    }
    let counts = try map(
      """
      SELECT m.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_master m ON m.name = d.name \
      WHERE d.aggregate = TRUE GROUP BY 1
      """
    ) { ($0.text(at: 0), $0.integer(at: 1)) }
    return ExactDictionary(counts) { _, last in last }
  }
}

extension Connection {
  /// Returns the number of rows in each table, by name, without views and virtual tables.
  package func rowCounts() throws(DatabaseError) -> ExactDictionary<Int64> {
    var counts: ExactDictionary<Int64> = [:]
    for name in try tableNames() {
      counts[name] = try integer("SELECT count(*) FROM \(name: name)")
    }
    return counts
  }
}

extension Connection {
  /// A virtual table or a view, and SQLite's reason why it can't be read.
  package struct UnusableTable: Hashable {
    package var name: String
    package var words: String
  }

  /// Returns the virtual tables whose first row can't be read, for example because this SQLite doesn't have their
  /// module, or because their shadow tables are missing.
  package func unusableTables() throws(DatabaseError) -> [UnusableTable] {
    try unusable(.virtualTable)
  }

  /// Returns the views that can't be compiled, for example because they use missing objects. They aren't read, because
  /// a view can be endless.
  package func unusableViews() throws(DatabaseError) -> [UnusableTable] {
    try unusable(.view)
  }

  private func unusable(
    _ kind: DatabaseSchema.StandIn
  ) throws(DatabaseError) -> [UnusableTable] {
    var unusable: [UnusableTable] = []
    for name in try standIns().filter({ $0.value == kind }).keys.sorted() {
      do throws(DatabaseError) {
        var rows = try prepare("SELECT * FROM \(name: name) LIMIT 1")
        if kind == .virtualTable { _ = try rows.step() }
      } catch {
        guard let words = error.words else { throw error }
        unusable.append(UnusableTable(name: name, words: words))
      }
    }
    return unusable
  }

  /// Returns the first table for which a query or an INSERT can't be compiled, for example because its declaration, an
  /// index or a trigger uses a collation that this SQLite doesn't have.
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
          // Other errors don't count. For example, the table can be protected against writes.
          guard let words = error.words else { continue }
          return UnusableTable(name: name, words: words)
        }
      }
    }
    return nil
  }
}
