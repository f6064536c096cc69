package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

/// Many flat records into one entity, all or none.
package struct BatchInsert {
  private let plan: InsertPlan
  private let layout: StoreLayout
  private let store: String
  private let policy: ConflictPolicy
  private let key: [String]
  private let validates: Bool
  private let cancellation: Cancellation
  private let session: HistorySession
  /// Called now and then with the rows written so far.
  private let progress: @Sendable (Int) -> Void
  /// Takes the keys of the written rows, as a SELECT of `key` and `entity`.
  private let keep: ((SQL, Connection) throws -> Void)?

  /// After so many wrong records the rest of the input is not looked at.
  package static let errorLimit = 20

  /// - Parameters:
  ///   - store: the store's UUID, which object IDs must name if they name any.
  ///   - policy: what becomes of records whose row would break a uniqueness constraint.
  ///   - key: attributes that identify a row, in place of constraints.
  ///   - validates: false leaves out what the model asks of values beyond their type.
  ///   - keep: takes the keys of the written rows, once they are all there.
  package init(
    _ plan: InsertPlan, in layout: StoreLayout, store: String,
    on policy: ConflictPolicy = .fail, key: [String] = [], validates: Bool = true,
    cancellation: Cancellation = .ofProcess, session: HistorySession = HistorySession(),
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    keepingKeys keep: ((SQL, Connection) throws -> Void)? = nil
  ) {
    self.plan = plan
    self.layout = layout
    self.store = store
    self.policy = policy
    self.key = key
    self.validates = validates
    self.cancellation = cancellation
    self.session = session
    self.progress = progress
    self.keep = keep
  }

  /// Writes the records of a text. To be run in a write transaction, which must roll back when it
  /// throws.
  ///
  /// - Parameter delimiter: between the fields of CSV, where it isn't detected.
  /// - Throws: `DiagnosticError` with the mistakes of the input, `RowError`, `DatabaseError`,
  ///   `Cancelled`.
  package func run(
    _ source: some ByteSource, format: RecordFormat, delimiter: FieldDelimiter? = nil,
    on connection: Connection
  ) throws -> InsertResult {
    guard let dialect = format.dialect(delimiter) else {
      return try run(input: source.name, on: connection) { JSONRecordReader(source) }
    }
    return try run(input: source.name, on: connection) { CSVRecordReader(source, dialect) }
  }

  /// Reads on a second thread while this one, which owns the connection, binds and steps.
  ///
  /// - Parameters:
  ///   - input: the input's name for messages; empty when it has none.
  ///   - reader: is made on the second thread.
  package func run<Reader: RecordReader & ~Copyable>(
    input: String, on connection: Connection, _ reader: @escaping @Sendable () -> Reader
  ) throws -> InsertResult {
    try plan.requireKey(key, on: policy)
    let queue = BatchQueue(width: plan.width)
    let rounded = Counter()
    let given = policy == .fail && key.isEmpty ? nil : GivenFieldSets()
    let encoder = RowEncoder(
      plan, store: store, validates: validates, given: countsFields ? given : nil)
    let parser = WorkerThread(named: "storetool.parse") {
      do {
        rounded.value = try Self.fill(queue, from: reader(), by: encoder)
        queue.finish()
      } catch {
        queue.fail(error)
        throw error
      }
    }
    do {
      var outcome = try write(queue, input: input, given, on: connection)
      try parser.join()
      outcome.roundedDecimals = rounded.value
      return outcome
    } catch {
      queue.fail(error)
      // The first of two errors is the cause of the other.
      try parser.join()
      throw error
    }
  }

  /// Whether it matters which fields each record gives.
  private var countsFields: Bool { policy == .update || !key.isEmpty }

  private func write(
    _ queue: BatchQueue, input: String, _ given: GivenFieldSets?, on connection: Connection
  ) throws -> InsertResult {
    let keys = KeyAllocator(connection)
    let changes = try ChangeRecorder(in: layout, on: connection, session: session)
    let counts = try MemberCountWatch(
      validates ? plan.memberCountRules(in: layout) : [], in: layout, on: connection)
    if !countsFields { _ = given?.number(of: GivenFields(fields: [])) }
    let upsert = try given.map { sets throws(DatabaseError) in
      try Upsert(
        plan, policy, key: key, given: sets, on: connection, changes: changes,
        keepsKeys: keep != nil)
    }
    var writer = try RowWriter(
      plan, on: connection, keys: keys, changes: changes,
      lookup: DestinationLookup(in: layout, store: store, on: connection), upsert: upsert)
    while let batch = try queue.takeFilled() {
      try cancellation.check()
      try writer.writeAll(batch, input: input)
      queue.putEmpty(batch)
      progress(writer.count)
    }
    // Ctrl-C ends the program that feeds a pipe, too: that is not an end of the input.
    try cancellation.check()
    try writer.finish()
    try counts.check()
    try keys.record()
    try changes.finish()
    try keep?(writer.writtenRows, connection)
    return InsertResult(
      inserted: writer.insertedCount, updated: writer.updatedCount,
      unchanged: writer.count - writer.insertedCount - writer.updatedCount, roundedDecimals: 0,
      withoutKeyValue: policy == .fail ? 0 : upsert?.keylessCount ?? 0)
  }

  /// Parses the whole input. The first wrong record stops the writing, but not the reading: the
  /// user sees the mistakes together.
  ///
  /// - Returns: how many decimals were rounded.
  private static func fill<Reader: RecordReader & ~Copyable>(
    _ queue: BatchQueue, from reader: consuming Reader, by encoder: consuming RowEncoder
  ) throws -> Int {
    var encoder = encoder
    var mistakes = RecordIssues(isFile: !reader.inputName.isEmpty)
    var batch = try queue.takeEmpty()
    while !mistakes.areTooMany {
      do {
        guard try reader.read(into: batch, by: &encoder) else { break }
      } catch let error as RowError {
        mistakes.add(error)
        // A wrong header makes every record wrong.
        if error.record == nil { break }
      } catch let error as InputError {
        mistakes.add(error)
        break
      }
      guard batch.isFull else { continue }
      if mistakes.isEmpty {
        queue.putFilled(batch)
        batch = try queue.takeEmpty()
      } else {
        batch.removeAll()
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticError(mistakes.diagnostics) }
    queue.putFilled(batch)
    return encoder.roundedDecimals
  }

  /// A number that one thread writes before it ends and another reads after it.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }
}

extension Store {
  /// Adds the records of a text as rows of the plan's entity: all, or none when it throws.
  ///
  /// - Throws: `DiagnosticError` with the mistakes of the input, `RowError`, `DatabaseError`,
  ///   `Cancelled`.
  package func insert(
    _ source: some ByteSource, format: RecordFormat, delimiter: FieldDelimiter? = nil,
    by plan: InsertPlan, in layout: StoreLayout, on policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true,
    cancellation: Cancellation = .ofProcess, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> InsertResult {
    let batch = BatchInsert(
      plan, in: layout, store: metadata.uuid, on: policy, key: key, validates: validates,
      cancellation: cancellation, progress: progress)
    return try write(cancellation: cancellation) {
      try batch.run(source, format: format, delimiter: delimiter, on: $0)
    }
  }
}
