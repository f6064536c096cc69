import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
package import StoreLayout
import StoreModel

/// A running deletion, in one transaction of its connection.
struct Deletion {
  let plan: DeletePlan
  let layout: StoreLayout
  /// The UUID of the store, for object IDs in errors.
  let store: String
  let connection: Connection
  let cancellation: Cancellation
  var session = HistorySession()
  /// Selects the strategy for the rows of a table.
  var strategy: (DeletionStrategy.Facts) -> DeletionStrategy = DeletionStrategy.init(_:)
  /// The maximum number of rows of a table that one statement deletes. More rows are deleted in pieces, because some
  /// versions of SQLite first collect all keys in memory, with 24 bytes for each key.
  var wholeSize = 500_000
  var pieceSize: Int64 = 50_000
  /// Whether the findings contain the number of all rows of each table, even if the strategy doesn't depend on it.
  var countsTables = false

  // MARK: Finding

  /// Fills the temporary tables with the keys of all rows to delete.
  func find() throws {
    for deleted in plan.deleted {
      for statement in deleted.creation { try connection.run(statement) }
    }
    if let selection = plan.selection { try connection.run(selection) }
    var pending = Set(plan.deleted.map(\.table))
    var round: Int64 = 0
    while !pending.isEmpty {
      try cancellation.check()
      var reached: Set<String> = []
      for path in plan.cascades where pending.contains(path.source.table) {
        guard let destination = plan.deleted(path.destinationTable) else { continue }
        let found = try connection.run(path.cascade(into: destination, round: round))
        if found > 0 { reached.insert(destination.table) }
      }
      pending = reached
      round += 1
    }
    expectNoRow(beyond: round)
  }

  // MARK: Checking

  /// - Throws: `DeletionRefusal` with each relationship that prevents the deletion; `DatabaseError`.
  func requirePermission() throws {
    var reasons: [DeletionRefusal.Reason] = []
    for path in plan.denials {
      let pairs = path.survivors(outside: plan.deleted(path.destinationTable))
      guard let (rows, ids) = try rows(of: pairs) else { continue }
      let others = try connection.integer("SELECT count(*) FROM (\(pairs))")
      reasons.append(
        .denied(
          path.name, rows: rows, ids: ids, destination: path.destination, others: Int(others)))
    }
    for reference in plan.required {
      let holders: SQL = """
        SELECT \(name: FixedColumn.entity) AS entity, \(name: FixedColumn.primaryKey) AS key \
        FROM \(name: reference.table) WHERE \(reference.condition)
        """
      guard let (rows, ids) = try rows(of: holders) else { continue }
      reasons.append(.required(reference.name, rows: rows, ids: ids))
    }
    for shortage in plan.shortages {
      guard let (rows, ids) = try rows(of: shortage.owners) else { continue }
      reasons.append(
        .tooFew(shortage.rule.name, minimum: shortage.rule.minimum, rows: rows, ids: ids))
    }
    if !reasons.isEmpty { throw DeletionRefusal(entity: plan.entity, reasons: reasons) }
  }

  /// Returns the number of rows in a SELECT of `entity` and `key`, and the object IDs of the first three. Returns nil
  /// if the result is empty.
  private func rows(of found: SQL) throws(DatabaseError) -> (count: Int, ids: [String])? {
    let count = try connection.integer("SELECT count(DISTINCT key) FROM (\(found))")
    guard count > 0 else {
      StatementRecorder.current?.expectNone(found, "a remaining row prevents the deletion")
      return nil
    }
    let first = try connection.rows(
      "SELECT DISTINCT entity, key FROM (\(found)) ORDER BY key LIMIT 3")
    let ids = first.compactMap { row -> String? in
      guard case .integer(let number) = row[0], case .integer(let key) = row[1] else { return nil }
      return "x-coredata://\(store)/\(layout.name(ofEntity: number))/p\(key)"
    }
    return (Int(count), ids)
  }

  // MARK: Counting

  /// Counts the deleted and affected rows, and selects the strategies, without changing the store.
  func findings() throws -> DeletionFindings {
    var findings = DeletionFindings()
    for deleted in plan.deleted {
      let work = try work(on: deleted, &findings)
      if work.deleted > 0 { findings.tables.append(work) } else { expectNone(of: deleted) }
    }
    guard findings.deletedCount > 0 else { return findings }
    for reference in plan.references {
      let count = try connection.integer(
        "SELECT count(*) FROM \(name: reference.table) WHERE \(reference.condition)")
      findings.note(Int(count), of: reference.name, dangles: reference.fate == .dangles)
      guard count == 0, reference.fate == .cleared else { continue }
      expectNone(in: reference.table, where: reference.condition, of: reference.name)
    }
    for membership in plan.memberships {
      let count = try connection.integer(
        "SELECT count(*) FROM \(name: membership.join.table) WHERE \(membership.condition)")
      findings.note(Int(count), of: membership.name, dangles: plan.joins.isEmpty)
      guard count == 0, !plan.joins.isEmpty else { continue }
      expectNone(in: membership.join.table, where: membership.condition, of: membership.name)
    }
    try suspendIndexes(&findings)
    return findings
  }

  private func work(
    on deleted: DeletedRows, _ findings: inout DeletionFindings
  ) throws(DatabaseError) -> DeletionFindings.TableWork {
    var count = 0
    for row in try connection.rows(deleted.census) {
      guard case .integer(let number) = row[1], number > 0 else { continue }
      let name = row[0].integer.map(layout.name(ofEntity:)) ?? "Z_ENT NULL"
      findings.deleted[name, default: 0] += Int(number)
      count += Int(number)
    }
    let rows = deleted.isWhole || count == 0 ? count : try self.rows(of: deleted.table, for: count)
    let suspension = try IndexSuspension(on: deleted.table, connection)
    let hasTriggers = try connection.fact(AllTriggers()).contains { $0.table == deleted.table }
    let facts = DeletionStrategy.Facts(
      rows: rows, deleted: count, indexes: suspension.indexes.count, hasTriggers: hasTriggers)
    return DeletionFindings.TableWork(
      table: deleted.table, rows: rows, deleted: count,
      way: deleted.isWhole ? .everything : strategy(facts),
      suspension: suspension)
  }

  /// Returns the number of rows of a table. If only a few of them are deleted, counting stops after one row more,
  /// because the strategy then only depends on whether rows remain.
  private func rows(of table: String, for deleted: Int) throws(DatabaseError) -> Int {
    guard !countsTables, deleted < DeletionStrategy.few else {
      return Int(try connection.integer("SELECT count(*) FROM \(name: table)"))
    }
    return Int(
      try connection.integer(
        "SELECT count(*) FROM (SELECT 1 FROM \(name: table) LIMIT \(.number(Int64(deleted) + 1)))"))
  }

  /// Selects the indexes to drop and create again: those of columns that become NULL in a large share of the table's
  /// rows.
  private func suspendIndexes(_ findings: inout DeletionFindings) throws(DatabaseError) {
    for (table, references) in Dictionary(grouping: plan.cleared, by: \.table) {
      guard references.contains(where: { findings.count(of: $0) >= DeletionStrategy.few }) else {
        continue
      }
      let rows = try connection.integer("SELECT count(*) FROM \(name: table)")
      let many = references.filter { reference in
        DeletionStrategy.isLargeShare(findings.count(of: reference), of: Int(rows))
      }
      guard !many.isEmpty else { continue }
      findings.suspensions[table] = try IndexSuspension(
        on: table, columns: Set(many.flatMap(\.columns)), connection)
    }
  }

  // MARK: Deleting

  /// - Parameter progress: is called with the number of rows deleted so far.
  func run(_ findings: DeletionFindings, progress: ((Int) -> Void)? = nil) throws {
    let changes = try ChangeRecorder(in: layout, on: connection, session: session)
    try record(findings, by: changes)
    var done = 0
    for step in plan.steps(findings) {
      try cancellation.check()
      if let deleted = step.pieces, findings.count(in: deleted.table) > wholeSize {
        try delete(deleted, done: &done, progress: progress)
      } else {
        let changed = try run(step, after: done, progress: progress)
        if step.pieces != nil { done += changed }
      }
    }
    try changes.finish()
  }

  /// Runs a step with one statement, and reports the progress of a deletion.
  private func run(
    _ step: DeletionStep, after done: Int, progress: ((Int) -> Void)?
  ) throws -> Int {
    guard let deleted = step.pieces, let progress else { return try connection.run(step.sql) }
    let changed = try connection.followingChanges(of: deleted.table, { progress(done + $0) }) {
      try connection.run(step.sql)
    }
    progress(done + changed)
    return changed
  }

  /// Records the changes while the rows and their references exist.
  private func record(_ findings: DeletionFindings, by changes: ChangeRecorder)
    throws(DatabaseError)
  {
    guard changes.isOn, findings.deletedCount > 0 else { return }
    for deleted in plan.deleted {
      try changes.recordDeletes(
        from: deleted.table,
        where: deleted.isWhole ? nil : "\(name: FixedColumn.primaryKey) IN (\(deleted.keys))")
    }
    for reference in plan.cleared where findings.count(of: reference) > 0 {
      guard let property = reference.property else { continue }
      try changes.recordUpdates(
        of: .entitiesAndKeys(of: reference.table, where: reference.condition),
        properties: [property])
    }
    guard !plan.joins.isEmpty || !plan.losses.isEmpty else { return }
    let owners =
      plan.memberships.map { ($0.table, $0.owners, $0.property) }
      + plan.losses.map { ($0.table, $0.owners, $0.property) }
    for (table, keys, property) in owners {
      try changes.recordUpdates(
        of: .entitiesAndKeys(of: table, where: "\(name: FixedColumn.primaryKey) IN (\(keys))"),
        properties: [property])
    }
  }

  private func delete(
    _ deleted: DeletedRows, done: inout Int, progress: ((Int) -> Void)?
  ) throws {
    var last = Int64.min
    while true {
      let end = try connection.rows(
        """
        SELECT max(key) FROM (SELECT key FROM \(deleted.rows) WHERE key > \(.number(last)) \
        ORDER BY key LIMIT \(.number(pieceSize)))
        """)
      guard case .integer(let next)? = end.first?.first else { return }
      done += try connection.run(deleted.deletion((last, next)))
      progress?(done)
      try cancellation.check()
      last = next
    }
  }
}

/// The checks of a script, whose statements run again later. A script only contains statements for the rows that this
/// deletion found, so it must fail if there are other rows when it runs.
extension Deletion {
  /// Disables the choice of strategies and the deletion in pieces while a script is recorded. Both depend on the
  /// numbers of rows, which can differ when the script runs.
  mutating func prepareForRecording() {
    guard StatementRecorder.current != nil else { return }
    strategy = { _ in .keys }
    wholeSize = .max
  }

  /// Makes the script fail if cascades reach rows in the given round or later.
  func expectNoRow(beyond round: Int64) {
    for deleted in plan.deleted where deleted.isRepeated && !deleted.isWhole {
      StatementRecorder.current?.expectNone(
        "SELECT key FROM \(deleted.rows) WHERE round >= \(.number(round))",
        "the deletion reaches more rows than before")
    }
  }

  func expectNone(of deleted: DeletedRows) {
    guard !deleted.isWhole else { return }
    StatementRecorder.current?.expectNone(
      "SELECT key FROM \(deleted.rows)", "the deletion reaches rows of more tables than before")
  }

  func expectNone(in table: String, where condition: SQL, of relationship: String) {
    StatementRecorder.current?.expectNone(
      "SELECT 1 FROM \(name: table) WHERE \(condition)",
      "remaining rows lose '\(relationship)', which didn't occur before")
  }
}

extension StoreLayout {
  /// Returns the name of an entity, or its number if the model doesn't contain it.
  package func name(ofEntity number: Int64) -> String {
    entity(numbered: number)?.name ?? "Z_ENT \(number)"
  }
}
