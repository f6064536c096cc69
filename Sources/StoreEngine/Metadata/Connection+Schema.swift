extension Connection {
  /// Tables, columns and entity numbers, for `StoreLayout.adapted(to:)`.
  package func schema() throws(StoreError) -> StoreSchema {
    var statement = try prepare(
      """
      SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE m.type = 'table' ORDER BY m.rowid, c.cid
      """)
    var columns: [String: [String]] = [:]
    while try statement.step() {
      columns[statement.text(at: 0), default: []].append(statement.text(at: 1))
    }
    return StoreSchema(columns: columns, primaryKeys: try primaryKeys())
  }
}
