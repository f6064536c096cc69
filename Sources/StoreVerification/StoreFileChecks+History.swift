import StoreLayout
import SQLiteAccess
import StoreCore

extension StoreFileChecks {
  /// What must hold within the persistent history (docs/formats/history.md).
  var historyChecks: [VerificationCheck] {
    HistoryEntity.allCases.filter { schema.hasTable($0.table) }.map(counter) + lostTransactions
      + lostTexts
  }

  private func counter(of entity: HistoryEntity) -> VerificationCheck {
    let row = schema.primaryKeys.first { $0.number == entity.rawValue }
    let highest: SQL = "(SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: entity.table))"
    return .counter(
      of: entity.name, at: row?.highestKey ?? 0, highest: highest,
      raising: entity.raisingCounter(to: highest))
  }

  private var lostTransactions: [VerificationCheck] {
    guard schema.hasColumn(HistoryColumn.transaction, in: HistoryTable.changes),
      schema.hasTable(HistoryTable.transactions)
    else { return [] }
    return [
      VerificationCheck(
        finding: Finding(.lostTransaction),
        cases: """
          SELECT NULL AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: HistoryTable.changes) WHERE \(name: HistoryColumn.transaction) IS NULL \
          OR \(name: HistoryColumn.transaction) NOT IN \
          (SELECT \(name: FixedColumn.primaryKey) FROM \(name: HistoryTable.transactions))
          """)
    ]
  }

  private var lostTexts: [VerificationCheck] {
    let references = HistoryColumn.origins.map { $0 + HistoryColumn.reference }
      .filter { schema.hasColumn($0, in: HistoryTable.transactions) }
    guard schema.hasTable(HistoryTable.strings), !references.isEmpty else { return [] }
    // NOT IN holds for no NULL, and NULL says nothing.
    let lost = references.map { column -> SQL in
      """
      \(name: column) NOT IN \
      (SELECT \(name: FixedColumn.primaryKey) FROM \(name: HistoryTable.strings))
      """
    }.joined(" OR ")
    return [
      VerificationCheck(
        finding: Finding(.lostText),
        cases: """
          SELECT NULL AS entity, \(name: FixedColumn.primaryKey) AS key \
          FROM \(name: HistoryTable.transactions) WHERE \(lost)
          """)
    ]
  }
}
