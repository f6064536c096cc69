extension Connection {
  /// `Z_PRIMARYKEY` by number.
  package func primaryKeys() throws(StoreError) -> [PrimaryKeyRow] {
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

  package func insertPrimaryKey(_ row: PrimaryKeyRow) throws(StoreError) {
    try run(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \
      (\(value: .integer(row.number)), \(value: .text(row.name)), \
      \(value: .integer(row.parentNumber)), \(value: .integer(row.highestKey)))
      """)
  }

  /// Hands out `count` keys for rows of an entity's tree, all of one table, and returns the first.
  ///
  /// `Z_MAX` is kept on the root's row. It may have been edited by hand, so the table is asked, too.
  package func reserveKeys(
    _ count: Int64, for entity: EntityLayout, in layout: StoreLayout
  ) throws(StoreError) -> Int64 {
    let root = layout.entity(named: entity.root)?.number ?? entity.number
    let known = try integer(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(value: .integer(root))")
    let used = try integer("SELECT max(Z_PK) FROM \(name: entity.table)")
    let (last, overflows) = max(known, used).addingReportingOverflow(count)
    guard !overflows else {
      throw .damaged(path: path, message: "Z_PRIMARYKEY has no keys left for '\(entity.root)'")
    }
    try run(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(value: .integer(last)) \
      WHERE Z_ENT = \(value: .integer(root))
      """)
    return last - count + 1
  }
}
