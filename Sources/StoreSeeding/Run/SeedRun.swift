package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate

/// Inserts the rows of a plan: first the rows of each entity with their to-one relationships, then the other links.
/// Requires a write transaction.
package struct SeedRun {
  private let plan: SeedPlan
  private let store: String
  private let cancellation: Cancellation
  private let session: HistorySession

  /// - Parameter store: The UUID of the store.
  package init(
    _ plan: SeedPlan, store: String, cancellation: Cancellation = .ofProcess,
    session: HistorySession = HistorySession()
  ) {
    self.plan = plan
    self.store = store
    self.cancellation = cancellation
    self.session = session
  }

  private var isStrict: Bool { plan.seeding.style == .plausible }

  /// - Parameter progress: A function that is called regularly with the number of rows so far.
  /// - Returns: The number of new rows by entity.
  /// - Throws: `RowError`, `MemberCountError`, `DatabaseError` or `Cancelled`. The transaction must then be rolled
  ///   back.
  package func run(
    on connection: Connection, progress: (Int) -> Void = { _ in }
  ) throws -> [String: Int] {
    let keys = KeyAllocator(connection)
    let changes = try ChangeRecorder(in: plan.layout, on: connection, session: session)
    let counts = try MemberCountWatch(
      isStrict ? plan.layout.memberCountRules : [], in: plan.layout, on: connection,
      checksNewOwners: true)
    let maker = RowMaker(plan)
    var written: [SeededRows] = []
    var count = 0
    for entity in plan.entities {
      let rows = try SeededRows(entity, on: connection, keys: keys, changes: changes)
      try write(rows, madeBy: maker) { progress(count + $0) }
      count += entity.run.count
      written.append(rows)
    }
    try writePairs(on: connection)
    try writeHiddenKeys(on: connection)
    for rows in written { try rows.writer.finish() }
    for rows in written { try rows.writer.settleVersions() }
    if plan.seeding.style == .extreme { try scatterVersions(on: connection) }
    try cancellation.check()
    try counts.check()
    try keys.record()
    try changes.finish()
    return Dictionary(
      plan.entities.map { ($0.plan.entity, $0.run.count) }, uniquingKeysWith: { $0 + $1 })
  }

  /// Generates rows on a second thread, while this thread, which owns the connection, inserts them.
  private func write(
    _ rows: SeededRows, madeBy maker: RowMaker, progress: (Int) -> Void
  ) throws {
    let (entity, store) = (rows.entity, store)
    let queue = BatchQueue(width: entity.plan.width)
    try queue.sharing(withThread: "storetool.seed") {
      try maker.fill(queue, with: entity, store: store)
      queue.finish()
    } body: {
      while let batch = try queue.takeFilled() {
        try cancellation.check()
        try rows.write(batch)
        queue.putEmpty(batch)
        progress(rows.writer.count)
      }
    }
  }

  // MARK: Links

  private func writePairs(on connection: Connection) throws {
    for (columns, seed) in plan.pairs {
      let join = columns.join
      let names =
        [join.sourceColumn, join.destinationColumn]
        + [join.orderColumn, columns.backOrder].compactMap(\.self)
      let marks = Array(repeating: "?" as SQL, count: names.count).joined(", ")
      var statement = try connection.prepare(
        """
        INSERT INTO \(name: join.table) (\(names.map(SQL.name).joined(", "))) VALUES (\(marks))
        """)
      var random = SeedRandom(seed: plan.seeding.seed, name: join.table)
      try seed.forEach(&random) { pair in
        var values = [pair.owner, pair.member]
        if join.orderColumn != nil { values.append(OrderPlaces.place(at: pair.place)) }
        if columns.backOrder != nil { values.append(OrderPlaces.place(at: pair.placeBack)) }
        try statement.run(values)
      }
      try cancellation.check()
    }
  }

  private func writeHiddenKeys(on connection: Connection) throws {
    for (key, seed, members) in plan.hidden {
      var random = SeedRandom(seed: plan.seeding.seed, name: "\(key.table).\(key.column)")
      let order: SQL = key.orderColumn.map { ", \(name: $0) = ?" } ?? ""
      let number: SQL = key.entityColumn.map { ", \(name: $0) = ?" } ?? ""
      var statement = try connection.prepare(
        """
        UPDATE \(name: key.table) SET \(name: key.column) = ?\(order)\(number) \
        WHERE \(name: FixedColumn.primaryKey) = ?
        """)
      // Any order is valid, so the positions follow the order of the members.
      for index in 0..<members.count {
        guard let owner = seed.destination(of: index, &random) else { continue }
        var values = [owner.key]
        if key.orderColumn != nil { values.append(OrderPlaces.place(at: Int64(index))) }
        if key.entityColumn != nil { values.append(owner.entity) }
        try statement.run(values + [members[index].key])
      }
      try cancellation.check()
    }
  }

  /// Sets different version numbers, as if the rows had been saved several times.
  private func scatterVersions(on connection: Connection) throws(DatabaseError) {
    for entity in plan.entities {
      try connection.run(
        """
        UPDATE \(name: entity.plan.table) SET \(name: FixedColumn.version) = \
        1 + \(name: FixedColumn.primaryKey) * 7 % 3 \
        WHERE \(name: FixedColumn.primaryKey) BETWEEN \(value: .integer(entity.run.first)) \
        AND \(value: .integer(entity.run.last))
        """)
    }
  }
}

private final class SeededRows {
  let entity: EntitySeed
  private let keys: KeyAllocator
  var writer: RowWriter
  private var count = 0

  init(
    _ entity: EntitySeed, on connection: Connection, keys: KeyAllocator, changes: ChangeRecorder
  ) throws(DatabaseError) {
    self.entity = entity
    self.keys = keys
    writer = try RowWriter(entity.plan, on: connection, keys: keys, changes: changes)
  }

  func write(_ batch: PackedRows) throws {
    guard entity.run.gap != nil else { return try writer.writeAll(batch, input: "") }
    for row in 0..<batch.count {
      keys.take(upTo: entity.run.key(at: count) - 1, for: entity.plan)
      try writer.write(row: row, of: batch)
      count += 1
    }
  }
}

/// Generates the rows of a plan, one entity after the other. Only one thread at a time uses it.
final class RowMaker: @unchecked Sendable {
  private let seeding: Seeding
  private var groups: [UniqueGroup]

  init(_ plan: SeedPlan) {
    seeding = plan.seeding
    groups = plan.groups
  }

  /// Generates the rows of an entity in batches.
  ///
  /// - Throws: `RowError` for an invalid value, which is a bug, or the error of the queue.
  func fill(_ queue: BatchQueue, with entity: EntitySeed, store: String) throws {
    // Extreme values don't have to be valid.
    var encoder = RowEncoder(entity.plan, store: store, validates: seeding.style == .plausible)
    var random = SeedRandom(seed: seeding.seed, name: entity.plan.entity, number: entity.run.first)
    // The groups share one sequence of random numbers, so their order must be the same in each run.
    let used = Set(entity.attributes.compactMap { $0.carrier?.group }).sorted()
    var unique: [[DataValue]?] = Array(repeating: nil, count: groups.count)
    var batch = try queue.takeEmpty()
    for index in 0..<entity.run.count {
      for group in used { unique[group] = groups[group].next(&random) }
      encoder.beginRecord(in: batch)
      do {
        try set(entity, row: index, unique, in: batch, by: &encoder, &random)
        try encoder.endRecord(in: batch, at: .start)
      } catch let kind as RowError.Kind {
        throw RowError(kind, entity: entity.plan.entity, record: index + 1)
      }
      guard batch.isFull else { continue }
      queue.putFilled(batch)
      batch = try queue.takeEmpty()
    }
    queue.putFilled(batch)
  }

  private func set(
    _ entity: EntitySeed, row index: Int, _ unique: [[DataValue]?], in batch: PackedRows,
    by encoder: inout RowEncoder, _ random: inout SeedRandom
  ) throws {
    for attribute in entity.attributes {
      guard let value = attribute.next(unique, &random) else { continue }
      do {
        try encoder.set(attribute.field, toTyped: value, in: batch)
      } catch let problem as ValueError {
        let name = entity.plan.fields[attribute.field].name
        throw RowError.Kind.value(property: name, shown: "", problem)
      }
    }
    for link in entity.toOnes {
      // The field counts as set. Without a destination, it is NULL, unless the partner in a one-to-one relationship
      // sets it after all rows are written.
      encoder.postpone(link.field)
      guard let owned = link.owned,
        let found = owned.seed.destination(of: owned.start + index, &random)
      else { continue }
      batch.nextCells[link.cell] = .integer(found.key)
      if let entityCell = link.entityCell { batch.nextCells[entityCell] = .integer(found.entity) }
    }
  }
}
