import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout

/// Compares the rows of one entity. Two threads read the rows of both stores in the same order, and this type merges
/// the two sequences.
struct EntityComparison {
  private let entity: ComparedEntity
  private let sides: (old: SideQuery, new: SideQuery)
  private let stores: (old: ComparedStore, new: ComparedStore)
  /// For each property, the comparison of values that may be in external files; nil for all other properties.
  private let largeValues: [LargeValueComparison?]
  private let visit: ((VisitedDifference) throws -> Void)?
  private let progress: (Int) throws -> Void
  private(set) var counts: ComparisonSummary.EntityCounts
  /// For each property, the number of rows with different values.
  private var changes: [Int]
  private let rows: (old: VisitedRow, new: VisitedRow)

  /// - Parameters:
  ///   - visit: a function that is called with each difference; nil to only count the differences.
  ///   - progress: a function that is called from time to time with the number of rows read so far.
  init(
    _ entity: ComparedEntity, in plan: ComparisonPlan, _ old: ComparedStore, _ new: ComparedStore,
    visit: ((VisitedDifference) throws -> Void)?, progress: @escaping (Int) throws -> Void
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

  /// Checks that the key is unique in both stores.
  ///
  /// - Throws: `ComparisonError.ambiguousKey` if several rows have the same key, and `DatabaseError`.
  func check() throws {
    guard let old = sides.old.ambiguityCheck, let new = sides.new.ambiguityCheck else { return }
    let (name, lent) = (entity.name, LentConnection(connection: stores.old.connection))
    let thread = WorkerThread(named: "storetool.keys") {
      try lent.connection.refuseAmbiguity(old, of: name)
    }
    let found = Result { try stores.new.connection.refuseAmbiguity(new, of: name) }
    try thread.join()
    try found.get()
  }

  mutating func run() throws {
    let old = SideReader(sides.old, of: stores.old)
    let new = SideReader(sides.new, of: stores.new)
    defer {
      old.stop()
      new.stop()
    }
    var rows = (old: try old.next(), new: try new.next())
    while let order = order(rows.old, rows.new) {
      try note(order, rows.old, rows.new)
      if order <= 0 {
        counts.oldRows += 1
        rows.old = try old.next()
      }
      if order >= 0 {
        counts.newRows += 1
        rows.new = try new.next()
      }
      if (counts.oldRows + counts.newRows) % 4096 < 2 {
        try progress(counts.oldRows + counts.newRows)
      }
    }
    counts.properties = zip(entity.properties, changes).filter { $1 > 0 }
      .map { .init(property: $0.name, changed: $1) }
  }

  /// Returns a negative number if the old row comes first, a positive number if the new row comes first, 0 if the rows
  /// match, and nil after the last rows.
  private func order(_ old: PackedRow?, _ new: PackedRow?) -> Int? {
    guard let old else { return new == nil ? nil : 1 }
    guard let new else { return -1 }
    return order(old, new)
  }

  /// Compares the keys of two rows. NULL comes before any value, and doesn't match another NULL.
  private func order(_ old: PackedRow, _ new: PackedRow) -> Int {
    for (one, other) in zip(sides.old.keyCells, sides.new.keyCells) {
      if old.isNull(at: one) { return -1 }
      if new.isNull(at: other) { return 1 }
      let order = old.order(one, against: new, other)
      if order != 0 { return order }
    }
    return 0
  }

  private mutating func note(_ order: Int, _ old: PackedRow?, _ new: PackedRow?) throws {
    if order == 0, let old, let new { return try compare(old, new) }
    if order <= 0, let old { try note(.removed, old, sides.old) }
    if order >= 0, let new { try note(.added, new, sides.new) }
  }

  private mutating func note(
    _ kind: VisitedDifference.Kind, _ found: PackedRow, _ side: SideQuery
  ) throws {
    if kind == .added { counts.added += 1 } else { counts.removed += 1 }
    if side.keyCells.contains(where: { found.isNull(at: $0) }) { counts.withoutKey += 1 }
    guard let visit else { return }
    let row = kind == .added ? rows.new : rows.old
    let taken = row.take(found, isCompared: false)
    try visit(
      VisitedDifference(
        kind: kind, entity: entity, properties: Array(entity.properties.indices),
        old: kind == .removed ? taken : nil, new: kind == .added ? taken : nil))
  }

  private mutating func compare(_ old: PackedRow, _ new: PackedRow) throws {
    var changed: [Int] = []
    for index in entity.properties.indices where try !isSame(index, old, new) {
      changed.append(index)
      changes[index] += 1
    }
    guard !changed.isEmpty else { return }
    counts.changed += 1
    guard let visit else { return }
    try visit(
      VisitedDifference(
        kind: .changed, entity: entity, properties: changed,
        old: rows.old.take(old, isCompared: true), new: rows.new.take(new, isCompared: true)))
  }

  private func isSame(_ index: Int, _ old: PackedRow, _ new: PackedRow) throws -> Bool {
    let cells = (sides.old.comparedCells[index], sides.new.comparedCells[index])
    let (one, other) = (cells.0[0], cells.1[0])
    guard let large = largeValues[index] else {
      let isEqual = cells.0.indices.allSatisfy {
        old.holds(cells.0[$0], equalTo: new, cells.1[$0])
      }
      guard !isEqual, sides.old.listsInAnyOrder[index] else { return isEqual }
      return old.members(at: one).elementsEqual(new.members(at: other)) { $0.elementsEqual($1) }
    }
    guard !old.isNull(at: one), !new.isNull(at: other) else {
      return old.isNull(at: one) && new.isNull(at: other)
    }
    return try large.isSame(Array(old.bytes(at: one)), Array(new.bytes(at: other)))
  }
}

/// A buffer for the row of one store in a difference.
private final class VisitedRow {
  private let rows: PackedRows
  private let shape: RowShape
  /// Like `shape`, but doesn't count missing files, because the comparison of the values has already counted them.
  private let comparedShape: RowShape

  init(_ side: SideQuery, _ context: RowContext) {
    let width = side.width
    rows = PackedRows(width: width)
    shape = context.shape(of: side.query.columns, width: width)
    var quiet = context
    quiet.externalFolder = context.externalFolder?.countingElsewhere()
    comparedShape = quiet.shape(of: side.query.columns, width: width)
  }

  func take(_ row: PackedRow, isCompared: Bool) -> VisitedDifference.Row {
    rows.removeAll()
    rows.append(row)
    return VisitedDifference.Row(rows: rows, shape: isCompared ? comparedShape : shape)
  }
}

extension PackedRow {
  /// Returns the identities of a list's members in sorted order. Sorting only the lists that differ is faster than
  /// sorting all lists in SQLite.
  fileprivate func members(at cell: Int) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    bytes(at: cell).split(separator: UInt8(ascii: ",")).sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension Connection {
  /// - Parameter check: the store's `SideQuery.ambiguityCheck`.
  /// - Throws: `ComparisonError.ambiguousKey` if several rows of the entity have the same key.
  fileprivate func refuseAmbiguity(_ check: SQL, of entity: String) throws {
    guard let found = try rows(check).first else { return }
    throw ComparisonError.ambiguousKey(
      entity: entity, values: found.dropFirst().map(\.shownAsKey),
      rowCount: found[0].integer ?? 0, path: path)
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

/// Compares values that may be in external files, regardless of their location.
struct LargeValueComparison {
  struct Side {
    let folder: ExternalFolder?
    /// Whether the first byte of a value specifies its location.
    let isMarked: Bool
  }

  let old: Side
  let new: Side

  /// - Throws: `ExternalValueMissing` if a file can't be read and missing files aren't counted.
  func isSame(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    switch (Self.place(of: old, in: self.old), Self.place(of: new, in: self.new)) {
    case (.bytes(let one), .bytes(let other)): return one == other
    case (.file(let one), .file(let other)):
      guard let folder = self.old.folder, let otherFolder = self.new.folder else {
        return one == other
      }
      // If neither file can be opened, the names are compared.
      return try folder.hasSameContent(one, as: otherFolder, other) ?? (one == other)
    case (.file(let name), .bytes(let bytes)):
      return try self.old.folder?.read(name).map { $0 == Array(bytes) } ?? false
    case (.bytes(let bytes), .file(let name)):
      return try self.new.folder?.read(name).map { $0 == Array(bytes) } ?? false
    }
  }

  private enum Place {
    case bytes(ArraySlice<UInt8>)
    case file(String)
  }

  private static func place(of stored: [UInt8], in side: Side) -> Place {
    guard side.isMarked else { return .bytes(stored[...]) }
    return stored.withUnsafeBufferPointer { bytes in
      switch ExternalValue(stored: bytes) {
      case .file(let name): .file(name)
      case .inline(let value): .bytes(stored.suffix(value.count))
      }
    }
  }
}
