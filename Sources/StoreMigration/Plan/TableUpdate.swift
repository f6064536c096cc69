import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel

/// The UPDATE statement that changes the rows of a table in place.
struct TableUpdate {
  let base: DatabaseSchema.Table
  private let changes: [TablePlan.Change]
  /// The names of the target's columns.
  private let columns: [String]
  /// The base's columns that become columns of the target: the name in the base, by the name in the target.
  private let carriers: [String: String]
  /// The numbers of the source entities whose rows remain in the table.
  private let entities: [Int64]

  init(_ plan: TablePlan, on base: DatabaseSchema.Table) {
    self.base = base
    changes = plan.changes
    columns = plan.target.columns.map(\.name)
    carriers = plan.carriers
    entities = plan.transfers.map(\.transfer.source.number)
  }

  /// The columns that change in all rows of an entity. Their indexes are dropped and created again, because this is
  /// faster than updating them.
  var rewrittenColumns: Set<String> {
    Set(changes.filter { $0.need == .always }.map(\.column))
  }

  /// The UPDATE statement; nil if no rows change.
  var sql: SQL? {
    guard !changes.isEmpty else { return nil }
    let columns = columns.filter { name in
      changes.contains { $0.column == name }
    }
    let assignments = columns.map { column -> SQL in
      "\(name: currentName(of: column)) = \(value(of: column))"
    }
    let update: SQL =
      "UPDATE \(name: base.name) AS \(name: ColumnValue.row) SET \(assignments.joined(", "))"
    return condition.map { "\(update) WHERE \($0)" } ?? update
  }

  /// Returns the name of a target column during the update. Columns of the base keep their names, and a new column with
  /// such a name has a temporary name.
  func currentName(of column: String) -> String {
    carriers[column] ?? addedName(of: column)
  }

  func addedName(of column: String) -> String {
    let taken = base.columns.map { $0.name.lowercased() }.exact
    guard taken.contains(ExactText(column.lowercased())) else { return column }
    return TableNames.free(ScratchName.new(column), among: taken)
  }

  var changedColumns: Set<String> { Set(changes.map(\.column)) }

  /// Returns the value that the column would have after the update, for a copy of the table.
  func result(of column: String) -> SQL {
    changedColumns.contains(column)
      ? value(of: column) : carriers[column].map { .name(ColumnValue.row, $0) } ?? "NULL"
  }

  private func value(of column: String) -> SQL {
    let own = changes.filter { $0.column == column }
    if let first = own.first, own.count == entities.count,
      own.allSatisfy({ $0.value == first.value })
    {
      return first.value
    }
    let cases = own.map { change -> SQL in " WHEN \(.integer(change.entity)) THEN \(change.value)" }
    let number = SQL.name(ColumnValue.row, FixedColumn.entity)
    let unchanged = carriers[column].map { SQL.name(ColumnValue.row, $0) } ?? "NULL"
    return "CASE \(number)\(cases.joined("")) ELSE \(unchanged) END"
  }

  /// The condition that selects the rows to change; nil if all rows change.
  private var condition: SQL? {
    let always = Set(changes.filter { $0.need == .always }.map(\.entity))
    guard always.count < entities.count else { return nil }
    let number = SQL.name(ColumnValue.row, FixedColumn.entity)
    var alternatives: [SQL] = always.isEmpty ? [] : ["\(number) IN \(.list(always.sorted()))"]
    for entity in entities where !always.contains(entity) {
      let needs = Set(changes.filter { $0.entity == entity }.map(\.need))
      let tests = needs.compactMap { need -> (String, SQL)? in
        switch need {
        case .always: nil
        case .whereNull(let column): (column, "\(.name(ColumnValue.row, column)) IS NULL")
        case .whereNotNull(let column): (column, "\(.name(ColumnValue.row, column)) IS NOT NULL")
        }
      }.sorted { $0.0 < $1.0 }.map(\.1)
      guard !tests.isEmpty else { continue }
      let test = tests.joined(" OR ")
      alternatives.append(
        entities.count == 1 ? test : "\(number) = \(.integer(entity)) AND (\(test))")
    }
    return alternatives.joined(" OR ")
  }
}
