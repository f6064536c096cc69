package import StoreDiagnostics

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
