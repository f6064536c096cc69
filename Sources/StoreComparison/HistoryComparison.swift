import PredicateSQL
package import StoreDiagnostics
package import StoreCore
import RecordFormats
import SQLiteAccess
import StoreLayout

/// Compares a store with an earlier state, based on its persistent history, which contains the changed rows and
/// properties. Earlier values are only available for deleted rows, if the history has preserved them.
package struct HistoryComparison {
  let plan: ComparisonPlan
  let bound: HistoryBound
  let cancellation: Cancellation

  /// - Parameter plan: a plan that compares the store's layout with itself.
  package init(
    _ plan: ComparisonPlan, since bound: HistoryBound, cancellation: Cancellation = .ofProcess
  ) {
    self.plan = plan
    self.bound = bound
    self.cancellation = cancellation
  }

  /// Compares the current rows with the state of the store at the bound, which is a point in the history.
  ///
  /// - Parameters:
  ///   - progress: a function that is called from time to time with the number of changes read so far.
  ///   - visit: a function that is called with each difference; nil to only count the differences.
  /// - Throws: `StoreLayoutError.noHistory` if the store has no history, `HistoryTokenError` if the bound isn't valid,
  ///   errors of `visit`, `DatabaseError`, and `Cancelled`.
  package func run(
    _ store: ComparedStore, progress: (Int) -> Void = { _ in },
    visit: ((VisitedDifference) throws -> Void)? = nil
  ) throws -> ComparisonSummary {
    let log = try HistoryLog(store.connection)
    try log.check(bound)
    let rows = Dictionary(
      plan.entities.map { ($0.new.number, ChangedEntity($0, in: plan, store)) }
    ) { first, _ in first }
    var pending: RowChange?
    var read = 0
    func finish() throws {
      guard let change = pending, let entity = rows[change.entity] else { return }
      try entity.note(change, visit)
    }
    try log.forEachChange(since: bound, in: .byRow) { change in
      read += 1
      if read % 4096 == 0 {
        try cancellation.check()
        progress(read)
      }
      if pending?.follows(change) != true {
        try finish()
        pending = RowChange(change)
      } else {
        pending?.add(change)
      }
    }
    try finish()
    return ComparisonSummary(
      entities: plan.entities.compactMap { rows[$0.new.number]?.counts }, omitted: plan.omitted)
  }
}

/// All changes of one row in a history.
private struct RowChange {
  let entity: Int64
  let key: Int64
  private var wasInserted: Bool
  private var isDeleted: Bool
  /// The bit mask of the properties that updates have changed; nil if no change in the history has a mask.
  private(set) var mask: [UInt8]?
  /// The preserved values of the deleted row, by the index in `StoreLayout.preservedAttributes`.
  private(set) var preserved: [Int: SQLiteValue]

  init(_ change: HistoryLog.Change) {
    entity = change.entity
    key = change.key
    wasInserted = change.kind == .insert
    isDeleted = change.kind == .delete
    mask = change.mask
    preserved = change.preserved
  }

  func follows(_ change: HistoryLog.Change) -> Bool {
    change.entity == entity && change.key == key
  }

  mutating func add(_ change: HistoryLog.Change) {
    isDeleted = change.kind == .delete
    preserved = change.preserved
    guard let bits = change.mask else { return }
    var all = mask ?? []
    if all.count < bits.count { all += Array(repeating: 0, count: bits.count - all.count) }
    for (index, byte) in bits.enumerated() { all[index] |= byte }
    mask = all
  }

  /// The row's difference; nil for a row that was inserted and deleted.
  var kind: VisitedDifference.Kind? {
    switch (wasInserted, isDeleted) {
    case (true, true): nil
    case (true, false): .added
    case (false, true): .removed
    case (false, false): .changed
    }
  }
}

/// Counts the changed rows of one entity, and passes them to `visit`: the current row or, for a removed row, the values
/// that the history has preserved.
private final class ChangedEntity {
  private(set) var counts: ComparisonSummary.EntityCounts
  private let entity: ComparedEntity
  private let store: ComparedStore
  private let query: SideQuery
  private let names: ChangedProperties
  private let preservedNames: [String]
  private let rows: PackedRows
  private let shape: RowShape

  init(_ entity: ComparedEntity, in plan: ComparisonPlan, _ store: ComparedStore) {
    self.entity = entity
    self.store = store
    counts = ComparisonSummary.EntityCounts(entity: entity.name, matching: .objectID)
    counts.properties = entity.properties.map { .init(property: $0.name, changed: 0) }
    query = SideQuery(entity, of: .new, in: plan, isShown: true)
    names = plan.new.changedProperties(of: entity.new.number)
    preservedNames = plan.new.preservedAttributes(of: entity.new)
    rows = PackedRows(width: query.width)
    shape = store.context.shape(of: query.query.columns, width: query.width)
  }

  func note(_ change: RowChange, _ visit: ((VisitedDifference) throws -> Void)?) throws {
    guard let kind = change.kind else { return }
    var properties = Array(entity.properties.indices)
    switch kind {
    case .added: counts.added += 1
    case .removed:
      counts.removed += 1
      properties = properties.filter { preservedNames.contains(entity.properties[$0].name) }
    case .changed:
      let changed = names.properties(in: change.mask ?? [])
      properties = properties.filter { index in
        let name = entity.properties[index].name
        return changed.contains { name == $0 || name.hasPrefix("\($0).") }
      }
      // Only properties that aren't compared have changed.
      if properties.isEmpty && !changed.isEmpty { return }
      counts.changed += 1
      for index in properties { counts.properties[index].changed += 1 }
    }
    guard let visit else { return }
    let isRead = kind != .removed
    let row = isRead ? try read(change.key) : preserved(change)
    try visit(
      VisitedDifference(
        kind: kind, entity: entity, properties: properties, old: isRead ? nil : row,
        new: isRead ? row : nil))
  }

  /// Returns the current row, or only its key if the row doesn't exist.
  private func read(_ key: Int64) throws -> VisitedDifference.Row {
    rows.removeAll()
    var statement = try store.connection.prepare(query.sql(ofRow: key))
    if try statement.step() {
      statement.copyRow(into: rows)
    } else {
      commit([:], key)
    }
    return VisitedDifference.Row(rows: rows, shape: shape)
  }

  private func preserved(_ change: RowChange) -> VisitedDifference.Row {
    rows.removeAll()
    var values: [String: SQLiteValue] = [:]
    for (number, value) in change.preserved where preservedNames.indices.contains(number) {
      values[preservedNames[number]] = value
    }
    commit(values, change.key)
    return VisitedDifference.Row(rows: rows, shape: shape)
  }

  /// Adds a row with a key, and with values by the property's name. All other values are NULL.
  private func commit(_ values: [String: SQLiteValue], _ key: Int64) {
    let cells = rows.nextCells
    for index in 0..<rows.width { cells[index] = .null }
    cells[shape.cells[0]] = .integer(key)
    for (index, property) in entity.properties.enumerated() {
      guard let value = values[property.name] else { continue }
      let column = VisitedDifference.Row.column(ofProperty: index)
      cells[shape.cells[column]] = rows.cell(for: value)
    }
    rows.commitRow()
  }
}

extension PackedRows {
  fileprivate func cell(for value: SQLiteValue) -> Cell {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .text(var text):
      return text.withUTF8 { cell(.text, $0.baseAddress, count: $0.count) }
    case .blob(let bytes):
      return bytes.withUnsafeBufferPointer { cell(.blob, $0.baseAddress, count: $0.count) }
    }
  }
}
