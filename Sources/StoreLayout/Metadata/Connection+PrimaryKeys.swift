package import SQLiteAccess

extension Connection {
  /// `Z_PRIMARYKEY` by number; none where the table or a column of it is missing (`SchemaGap`).
  package func primaryKeys() throws(DatabaseError) -> [PrimaryKeyRow] {
    guard try Set(columnNames(of: FixedTable.primaryKeys)).isSuperset(of: FixedTable.keyColumns)
    else { return [] }
    var statement = try prepare(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    var rows: [PrimaryKeyRow] = []
    while try statement.step() {
      rows.append(
        PrimaryKeyRow(
          number: statement.integer(at: 0), name: statement.text(at: 1),
          parentNumber: statement.integer(at: 2), highestKey: statement.integer(at: 3)))
    }
    return rows
  }

  package func insertPrimaryKey(_ row: PrimaryKeyRow) throws(DatabaseError) {
    try run(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \
      (\(value: .integer(row.number)), \(value: .text(row.name)), \
      \(value: .integer(row.parentNumber)), \(value: .integer(row.highestKey)))
      """)
  }
}
