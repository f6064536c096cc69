package import SQLiteAccess
import StoreLayout
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Writes packed rows of an entity in a write transaction, according to a plan.
///
/// Call `write` for each row. Call `finish` after all writers of the transaction have written, because a row can refer
/// to a row that is written later.
package struct RowWriter: ~Copyable {
  private let plan: InsertPlan
  private let connection: Connection
  private let keys: KeyAllocator
  private let changes: ChangeRecorder
  private let lookup: DestinationLookup?
  private let toOnes: [(field: InsertPlan.Field, toOne: InsertPlan.ToOne)]
  private let upsert: Upsert?
  /// The indices of the plan's relationships that no new row has, so that they don't have to be checked.
  private var unset: Set<Int>
  /// The cell of each of the plan's relationships.
  private let cells: [Int?]
  private var statement: Statement
  /// The highest key before the first row of this writer.
  private let firstKey: Int64
  private var records: [Record] = []
  /// The number of records so far.
  package private(set) var count = 0
  /// The number of rows that were inserted so far.
  package private(set) var insertedCount = 0
  private(set) var updatedCount = 0

  /// The key and the number of the first record in a run of records with consecutive keys. Errors find the record of a
  /// key from these runs.
  private struct Record {
    var key: Int64
    var number: Int
  }

  /// - Parameters:
  ///   - lookup: finds destinations that aren't specified by their object ID.
  ///   - upsert: writes the records if they can be matched with existing rows. Nil if all records become new rows.
  ///   - settingLater: whether the caller sets relationships of the rows before `finish`.
  package init(
    _ plan: InsertPlan, on connection: Connection, keys: KeyAllocator, changes: ChangeRecorder,
    lookup: DestinationLookup? = nil, upsert: Upsert? = nil, settingLater: Bool = true
  ) throws(DatabaseError) {
    let lastKey = try keys.lastKey(for: plan)
    let insertion = try connection.prepareKept(RenderedSQL(plan.insertion))
    self.plan = plan
    self.connection = connection
    self.keys = keys
    self.changes = changes
    self.lookup = lookup
    self.upsert = upsert
    toOnes = plan.fields.compactMap { field in
      if case .toOne(let toOne) = field.content { (field, toOne) } else { nil }
    }
    firstKey = lastKey
    unset = settingLater ? [] : Set(plan.relationships.indices)
    cells = plan.relationships.map { step in
      plan.columns.firstIndex { $0.isExactly(step.column.column) }
    }
    statement = insertion
  }

  /// Writes a row and returns its key.
  ///
  /// - Throws: `RowError`, for example for a violated uniqueness constraint or a missing destination; errors of parsing
  ///   and checking a predicate that describes a destination; `DatabaseError`.
  @discardableResult
  package mutating func write(row: Int, of rows: PackedRows) throws -> Int64 {
    let key = try keys.lastKey(for: plan) + 1
    _ = try insert(row: row, of: rows, key: key, input: "")
    keys.take(upTo: key, for: plan)
    return key
  }

  /// Counts rows that the caller has inserted itself, with keys that were allocated in this transaction.
  package mutating func note(written number: Int) {
    unset = []
    count += number
    insertedCount += number
  }

  /// Writes all rows of a batch in order.
  ///
  /// - Parameter input: the name of the input for messages.
  package mutating func writeAll(_ rows: PackedRows, input: String) throws {
    var key = try keys.lastKey(for: plan)
    for row in 0..<rows.count where try insert(row: row, of: rows, key: key + 1, input: input) {
      key += 1
    }
    keys.take(upTo: key, for: plan)
  }

  /// - Returns: whether a new row with the key was inserted.
  @inline(__always)
  private mutating func insert(
    row: Int, of rows: PackedRows, key: Int64, input: String
  ) throws -> Bool {
    count += 1
    for (field, toOne) in toOnes where rows.cells(ofRow: row)[field.cell].kind == .text {
      try resolve(field, toOne, row, of: rows, input: input)
    }
    if let upsert { return try write(row, of: rows, key: key, by: upsert, input: input) }
    insertedCount += 1
    note(key)
    noteRelationships(row, of: rows)
    try statement.bind(key: key, at: 1)
    try statement.bind(row: row, of: rows, from: 2)
    do throws(DatabaseError) {
      _ = try statement.step()
    } catch {
      throw try conflict(row, of: rows, error, input: input) ?? error
    }
    statement.reset()
    return true
  }

  private mutating func write(
    _ row: Int, of rows: PackedRows, key: Int64, by upsert: Upsert, input: String
  ) throws -> Bool {
    do {
      switch try upsert.write(row: row, of: rows, key: key) {
      case .inserted:
        insertedCount += 1
        note(key)
        noteRelationships(row, of: rows)
        return true
      case .updated: updatedCount += 1
      case .unchanged: break
      }
      return false
    } catch let kind as RowError.Kind {
      throw error(kind, row, of: rows, input: input)
    } catch let error as DatabaseError {
      throw try conflict(row, of: rows, error, input: input) ?? error
    }
  }

  /// Checks a row like `write` and `finish`, without writing. A read-only connection is sufficient.
  ///
  /// - Throws: `RowError` for a missing destination, or for a value that must be unique and isn't; errors of parsing
  ///   and checking a predicate that describes a destination; `DatabaseError`.
  package mutating func check(row: Int, of rows: PackedRows) throws {
    count += 1
    let cells = rows.cells(ofRow: row)
    for (field, toOne) in toOnes where cells[field.cell].kind == .text {
      try resolve(field, toOne, row, of: rows, input: "")
    }
    for step in plan.relationships {
      guard let field = plan.field(named: step.property),
        case .integer(let key) = rows.value(of: cells[field.cell]),
        try connection.rows(step.destination(withKey: key)).isEmpty
      else { continue }
      let missing = RowError.Kind.danglingReference(
        property: step.property, destination: step.column.destination, key: key)
      throw error(missing, row, of: rows, input: "")
    }
    for constraint in plan.uniqueness where try isTaken(constraint, row, of: rows) {
      throw try conflict(row, of: rows, constraint, input: "")
    }
  }

  /// Returns whether a row of the store has the same values in the constraint's columns. NULL isn't equal to any value.
  private func isTaken(
    _ constraint: InsertPlan.UniquenessConstraint, _ row: Int, of rows: PackedRows
  ) throws -> Bool {
    let values = plan.values(of: constraint.properties, row: row, of: rows).map(\.value)
    guard values.count == constraint.columns.count else { return false }
    let same: SQL =
      "SELECT 1 FROM \(name: plan.table) WHERE \(constraint.isMet(by: values)) LIMIT 1"
    return try !connection.rows(same).isEmpty
  }

  /// Replaces the text that describes a destination with the destination's key.
  private mutating func resolve(
    _ field: InsertPlan.Field, _ toOne: InsertPlan.ToOne, _ row: Int, of rows: PackedRows,
    input: String
  ) throws {
    let cells = rows.cells(ofRow: row)
    let text = String(decoding: rows.bytes(of: cells[field.cell]), as: UTF8.self)
    do {
      guard let lookup else { throw ValueError.noObjectID(describedBy: nil) }
      let found = try lookup.row(text, of: field.name, toOne)
      cells[field.cell] = .integer(found.key)
      if let entityCell = toOne.entityCell { cells[entityCell] = .integer(found.entity) }
    } catch let problem as ValueError {
      throw error(
        .value(property: field.name, shown: text, problem), row, of: rows, input: input)
    } catch let missing as RowLookupError {
      throw error(.destination(property: field.name, missing), row, of: rows, input: input)
    }
  }

  private func error(
    _ kind: RowError.Kind, _ row: Int, of rows: PackedRows, input: String
  ) -> RowError {
    let place = rows.place(ofRow: row)
    return RowError(
      kind, entity: plan.entity, record: count,
      place: input.isEmpty
        ? nil : SourcePlace(file: input, line: place.line, column: place.column))
  }

  @inline(__always)
  private mutating func noteRelationships(_ row: Int, of rows: PackedRows) {
    guard !unset.isEmpty else { return }
    let values = rows.cells(ofRow: row)
    for index in unset where cells[index].map({ values[$0].kind != .null }) ?? true {
      unset.remove(index)
    }
  }

  @inline(__always)
  private mutating func note(_ key: Int64) {
    if records.last.map({ key - $0.key != Int64(count - $0.number) }) ?? true {
      records.append(Record(key: key, number: count))
    }
  }

  /// Checks and completes the relationships of the rows, and records the rows as inserted.
  ///
  /// - Parameter linksAreSettled: whether the caller has recorded the changes of the existing rows that the new rows
  ///   refer to.
  /// - Throws: `RowError` for a reference to a missing row, otherwise `DatabaseError`.
  package func finish(linksAreSettled: Bool = false) throws {
    try upsert?.finish()
    guard insertedCount > 0 else { return }
    for (index, step) in plan.relationships.enumerated() where !unset.contains(index) {
      let found = try connection.keptRow(RenderedSQL(step.danglingReference(after: firstKey)))
      if let row = found, case .integer(let key) = row[0], case .integer(let target) = row[1] {
        throw RowError(
          .danglingReference(
            property: step.property, destination: step.column.destination, key: target),
          entity: plan.entity, record: recordNumber(ofKey: key))
      }
      for completion in step.completion(after: firstKey) { try run(completion) }
      if !linksAreSettled, let members = step.newMembers(after: firstKey) { try run(members) }
    }
    try changes.recordInserts(into: plan.place, after: firstKey)
  }

  private func run(_ completion: RelationshipStep.Completion) throws(DatabaseError) {
    if let (rows, property) = completion.changed {
      try changes.recordUpdates(of: rows, properties: [property])
    }
    try connection.runKept(completion.statement)
  }

  /// The keys of the inserted rows of a writer without an upsert.
  var insertedKeys: Range<Int64> { (firstKey + 1)..<(firstKey + 1 + Int64(insertedCount)) }

  /// A SELECT of the `key` and `entity` of the inserted rows, and of the rows that an upsert with `keepsKeys` changed.
  var writtenRows: SQL {
    let entity: SQL = .value(.integer(plan.entityNumber))
    let first: SQL = .value(.integer(firstKey))
    let inserted: SQL = """
      SELECT \(name: FixedColumn.primaryKey) AS key, \(entity) AS entity \
      FROM \(name: plan.table) WHERE \(name: FixedColumn.primaryKey) > \(first) \
      AND \(name: FixedColumn.entity) = \(entity)
      """
    guard let updated = upsert?.changedRows else { return inserted }
    // Several records can change a row, including a row that an earlier record inserted.
    return "SELECT DISTINCT k, \(entity) FROM \(updated) WHERE k <= \(first) UNION ALL \(inserted)"
  }

  /// Sets the versions of the new rows to 1, because they are saved only once. `finish` of several writers can have
  /// incremented the versions.
  package func settleVersions() throws(DatabaseError) {
    guard count > 0 else { return }
    try connection.run(
      """
      UPDATE \(name: plan.table) SET \(name: FixedColumn.version) = 1 \
      WHERE \(name: FixedColumn.primaryKey) > \(value: .integer(firstKey)) \
      AND \(name: FixedColumn.entity) = \(value: .integer(plan.entityNumber)) \
      AND \(name: FixedColumn.version) <> 1
      """)
  }

  private func recordNumber(ofKey key: Int64) -> Int {
    guard let run = records.last(where: { $0.key <= key }) else { return 0 }
    return run.number + Int(key - run.key)
  }

  /// Returns the error for a violated uniqueness constraint, with the row's values, or nil for other errors.
  private func conflict(
    _ row: Int, of rows: PackedRows, _ error: DatabaseError, input: String
  ) throws(DatabaseError) -> RowError? {
    guard let violated = error.violated(among: plan.uniqueness, of: plan.table) else { return nil }
    return try conflict(row, of: rows, violated, input: input)
  }

  private func conflict(
    _ row: Int, of rows: PackedRows, _ violated: InsertPlan.UniquenessConstraint, input: String
  ) throws(DatabaseError) -> RowError {
    let values = plan.values(of: violated.properties, row: row, of: rows)
    let owner = try connection.otherOwner(of: values.map(\.value), by: violated, in: plan)
    return self.error(
      .conflict(values, owner: owner, policy: upsert == nil ? .fail : nil), row, of: rows,
      input: input)
  }
}

extension RowError.Kind {
  static func conflict(
    _ values: [(field: InsertPlan.Field, value: SQLiteValue)], owner: String? = nil,
    policy: ConflictPolicy? = nil
  ) -> RowError.Kind {
    let shown = values.map { ($0.field.name, $0.value.shown(as: $0.field)) }
    return .conflict(values: Dictionary(shown) { first, _ in first }, owner: owner, policy: policy)
  }
}

extension SQLiteValue {
  /// Returns the text of a field's stored value for messages. A blob is shown as its size.
  package func shown(as field: InsertPlan.Field) -> String {
    switch (self, field.content) {
    case (.null, _): "null"
    case (.integer(let value), .attribute(.boolean, _)): value == 0 ? "false" : "true"
    case (.integer(let value), .toOne(let toOne)): "\(toOne.destination) p\(value)"
    case (.integer(let value), .attribute(.date, _)): ISODate.text(Double(value)) ?? "\(value)"
    case (.real(let value), .attribute(.date, _)): ISODate.text(value) ?? "\(value)"
    case (.integer(let value), _): "\(value)"
    case (.real(let value), _): "\(value)"
    case (.text(let text), _): text
    case (.blob(let bytes), _): "\(bytes.count) bytes"
    }
  }
}
