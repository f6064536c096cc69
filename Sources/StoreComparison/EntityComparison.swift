import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreEngine
import StoreLayout
import StoreSQL

/// The rows of one entity: two SELECTs in one order, read side by side as a zipper is closed.
struct EntityComparison {
  private let entity: ComparedEntity
  private let sides: (old: SideQuery, new: SideQuery)
  private let stores: (old: ComparedStore, new: ComparedStore)
  private let largeValues: [LargeValueComparison?]
  private let visit: ((RowDifference) throws -> Void)?
  private let progress: (Int) throws -> Void
  private(set) var counts: ComparisonSummary.EntityCounts
  private var changes: [Int]
  private let rows: (old: VisitedRow, new: VisitedRow)

  /// - Parameters:
  ///   - visit: gets each difference; nil where only their numbers are wanted.
  ///   - progress: called now and then with the rows read so far.
  init(
    _ entity: ComparedEntity, in plan: ComparisonPlan, _ old: ComparedStore, _ new: ComparedStore,
    visit: ((RowDifference) throws -> Void)?, progress: @escaping (Int) throws -> Void
  ) {
    self.entity = entity
    let isShown = visit != nil
    sides = (
      SideQuery(entity, of: .old, in: plan, isShown: isShown),
      SideQuery(entity, of: .new, in: plan, isShown: isShown)
    )
    stores = (old, new)
    self.visit = visit
    self.progress = progress
    counts = ComparisonSummary.EntityCounts(entity: entity.name, matching: entity.matching)
    changes = Array(repeating: 0, count: entity.properties.count)
    rows = (VisitedRow(sides.old, old.context), VisitedRow(sides.new, new.context))
    largeValues = zip(entity.properties, sides.old.largeCells).map { property, cell in
      guard cell != nil else { return nil }
      func side(_ store: ComparedStore, _ isMarked: Bool?) -> LargeValueComparison.Side {
        .init(folder: store.context.externalFolder, isMarked: isMarked ?? false)
      }
      return LargeValueComparison(
        old: side(old, entity.old.attributes[property.name]?.allowsExternalStorage),
        new: side(new, entity.new.attributes[property.name]?.allowsExternalStorage))
    }
  }

  /// - Throws: `ComparisonError.ambiguousKey` where a key is that of several rows.
  func check() throws {
    for (store, side) in [(stores.old, sides.old), (stores.new, sides.new)] {
      guard let sql = side.ambiguityCheck,
        let found = try store.connection.rows(sql).first
      else { continue }
      throw ComparisonError.ambiguousKey(
        entity: entity.name, values: found.dropFirst().map(\.shownAsKey),
        rowCount: found[0].integer ?? 0, path: store.connection.path)
    }
  }

  mutating func run() throws {
    var old = try stores.old.connection.prepare(sides.old.query.sql)
    var new = try stores.new.connection.prepare(sides.new.query.sql)
    var hasOld = try old.step()
    var hasNew = try new.step()
    while hasOld || hasNew {
      let order = hasOld && hasNew ? order(old, new) : hasOld ? -1 : 1
      if order < 0 {
        try note(.removed, old, sides.old)
      } else if order > 0 {
        try note(.added, new, sides.new)
      } else {
        try compare(old, new)
      }
      if order <= 0 {
        counts.oldRows += 1
        hasOld = try old.step()
      }
      if order >= 0 {
        counts.newRows += 1
        hasNew = try new.step()
      }
      if (counts.oldRows + counts.newRows) % 4096 < 2 {
        try progress(counts.oldRows + counts.newRows)
      }
    }
    counts.properties = zip(entity.properties, changes).filter { $1 > 0 }
      .map { .init(property: $0.name, changed: $1) }
  }

  /// Which of two rows comes first; below 0 for one without a key, which has no match.
  private func order(_ old: borrowing Statement, _ new: borrowing Statement) -> Int {
    for (one, other) in zip(sides.old.keyCells, sides.new.keyCells) {
      if old.isNull(at: one) { return -1 }
      if new.isNull(at: other) { return 1 }
      let order = old.order(one, against: new, other)
      if order != 0 { return order }
    }
    return 0
  }

  private mutating func note(
    _ kind: RowDifference.Kind, _ statement: borrowing Statement, _ side: SideQuery
  ) throws {
    if kind == .added { counts.added += 1 } else { counts.removed += 1 }
    if side.keyCells.contains(where: { statement.isNull(at: $0) }) { counts.withoutKey += 1 }
    guard let visit else { return }
    let row = kind == .added ? rows.new : rows.old
    let taken = row.take(statement, isCompared: false)
    try visit(
      RowDifference(
        kind: kind, entity: entity, properties: Array(entity.properties.indices),
        old: kind == .removed ? taken : nil, new: kind == .added ? taken : nil))
  }

  private mutating func compare(_ old: borrowing Statement, _ new: borrowing Statement) throws {
    var changed: [Int] = []
    for index in entity.properties.indices where try !isSame(index, old, new) {
      changed.append(index)
      changes[index] += 1
    }
    guard !changed.isEmpty else { return }
    counts.changed += 1
    guard let visit else { return }
    try visit(
      RowDifference(
        kind: .changed, entity: entity, properties: changed,
        old: rows.old.take(old, isCompared: true), new: rows.new.take(new, isCompared: true)))
  }

  private func isSame(
    _ index: Int, _ old: borrowing Statement, _ new: borrowing Statement
  ) throws -> Bool {
    let cells = (sides.old.comparedCells[index], sides.new.comparedCells[index])
    let (one, other) = (cells.0[0], cells.1[0])
    guard let large = largeValues[index] else {
      let isEqual = cells.0.indices.allSatisfy {
        old.holds(cells.0[$0], equalTo: new, cells.1[$0])
      }
      guard !isEqual, sides.old.listsInAnyOrder[index] else { return isEqual }
      return old.members(at: one) == new.members(at: other)
    }
    guard !old.isNull(at: one), !new.isNull(at: other) else {
      return old.isNull(at: one) && new.isNull(at: other)
    }
    return try large.isSame(old.bytes(at: one), new.bytes(at: other))
  }
}

/// Room for the row of one store that a difference shows.
private final class VisitedRow {
  private let rows: PackedRows
  private let shape: RowShape
  /// Does not count files that are not there: the comparison has.
  private let comparedShape: RowShape

  init(_ side: SideQuery, _ context: RowContext) {
    let width = side.width
    rows = PackedRows(width: width)
    shape = context.shape(of: side.query, width: width)
    var quiet = context
    quiet.externalFolder = context.externalFolder?.countingElsewhere()
    comparedShape = quiet.shape(of: side.query, width: width)
  }

  func take(_ statement: borrowing Statement, isCompared: Bool) -> RowDifference.Row {
    rows.removeAll()
    statement.copyRow(into: rows)
    return RowDifference.Row(rows: rows, shape: isCompared ? comparedShape : shape)
  }
}

extension Statement {
  /// What stands for each member of a list, sorted: to sort the few lists that differ costs less than to have SQLite sort all.
  fileprivate borrowing func members(at cell: Int32) -> [ArraySlice<UInt8>] {
    bytes(at: cell).split(separator: UInt8(ascii: ",")).sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension SQLiteValue {
  fileprivate var shownAsKey: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .null, .integer, .real, .blob: literal
    }
  }
}
