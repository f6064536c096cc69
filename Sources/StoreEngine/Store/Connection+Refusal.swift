extension Connection {
  package func hasTable(_ name: String) throws(StoreError) -> Bool {
    try integer(
      """
      SELECT count(*) FROM sqlite_master \
      WHERE type = 'table' AND name = \(value: .text(name))
      """) > 0
  }

  package func triggerNames() throws(StoreError) -> [String] {
    var statement = try prepare(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0)) }
    return names
  }

  /// Rows written without a history entry would never reach the app's other processes, and triggers
  /// call functions that only Core Data has.
  func refuseUnsafeWriting() throws(StoreError) {
    let triggers = try triggerNames()
    guard triggers.isEmpty else { throw .hasTriggers(path: path, names: triggers) }
    let changes = try rowCount(of: HistoryTable.changes)
    let transactions = try rowCount(of: HistoryTable.transactions)
    guard changes == 0, transactions == 0 else {
      throw .hasHistory(path: path, transactions: transactions)
    }
  }

  private func rowCount(of table: String) throws(StoreError) -> Int64 {
    guard try hasTable(table) else { return 0 }
    return try integer("SELECT count(*) FROM \(name: table)")
  }
}
