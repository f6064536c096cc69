package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel
package import StorePredicate

/// An insertion of many flat records into an entity: all of them, or none.
package struct BatchInsert {
  private let plan: InsertPlan
  private let layout: StoreLayout
  private let store: String
  private let policy: ConflictPolicy
  private let key: [String]
  private let validates: Bool
  private let cancellation: Cancellation
  private let session: HistorySession
  /// Is called occasionally with the number of written rows.
  private let progress: @Sendable (Int) -> Void
  /// Receives the keys of the written rows, as a SELECT of `key` and `entity`.
  private let keep: ((SQL, Connection) throws -> Void)?

  /// The number of reported errors after which reading stops.
  package static let errorLimit = 20

  /// - Parameters:
  ///   - store: the UUID of the store. An object ID with another UUID is an error.
  ///   - policy: the behavior for records whose row would violate a uniqueness constraint.
  ///   - key: the attributes that identify an existing row, instead of the uniqueness constraints.
  ///   - validates: false skips the model's validation rules.
  ///   - keep: is called with a SELECT of the written rows after all rows are written.
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

  /// Writes the records of a text. Must be called in a write transaction, which must be rolled back if this function
  /// throws.
  ///
  /// - Parameter delimiter: the delimiter of CSV, or nil to detect it.
  /// - Throws: `DiagnosticError` with the errors of the input, `RowError`, `InsertPlanError`, `MemberCountError`,
  ///   `DatabaseError`, `Cancelled`.
  package func run(
    _ source: some ByteSource, format: RecordFormat, delimiter: FieldDelimiter? = nil,
    on connection: Connection
  ) throws -> InsertResult {
    guard let dialect = format.dialect(delimiter) else {
      return try run(input: source.name, on: connection) { JSONRecordReader(source) }
    }
    return try run(input: source.name, on: connection) { CSVRecordReader(source, dialect) }
  }

  /// Inserts a few records as new rows, with the conflict policy `fail`, and returns their keys. It doesn't start a
  /// thread.
  ///
  /// - Parameter encoder: an encoder of the plan that hasn't encoded a record.
  /// - Throws: the errors of `run`.
  package func insert(
    few records: [[String: DataValue]], by encoder: RowEncoder, on connection: Connection
  ) throws -> Range<Int64> {
    // A record fills at most one batch.
    let queue = BatchQueue(batchCount: records.count + 1, width: plan.width)
    var iterator = records.makeIterator()
    _ = try Self.fill(queue, from: ValueRecordReader { iterator.next() }, by: encoder)
    queue.finish()
    return try write(queue, input: "", nil, on: connection).keys
  }

  /// The largest number of records for `insert(few:by:on:)`.
  package static let fewRecords = 3

  /// Reads the records on a second thread, while this thread, which owns the connection, runs the statements.
  ///
  /// - Parameters:
  ///   - input: the name of the input for messages, which can be empty.
  ///   - reader: creates the reader on the second thread.
  package func run<Reader: RecordReader & ~Copyable>(
    input: String, on connection: Connection, _ reader: @escaping @Sendable () -> Reader
  ) throws -> InsertResult {
    try plan.requireKey(key, on: policy)
    let queue = BatchQueue(width: plan.width)
    let rounded = Counter()
    let given = policy == .fail && key.isEmpty ? nil : GivenFieldSets()
    let encoder = RowEncoder(
      plan, store: store, validates: validates, given: countsFields ? given : nil)
    var outcome = try queue.sharing(withThread: "storetool.parse") {
      rounded.value = try Self.fill(queue, from: reader(), by: encoder)
      queue.finish()
    } body: {
      try write(queue, input: input, given, on: connection).result
    }
    outcome.roundedDecimals = rounded.value
    return outcome
  }

  /// Whether the statement for a record depends on which fields the record contains.
  private var countsFields: Bool { policy == .update || !key.isEmpty }

  private func write(
    _ queue: BatchQueue, input: String, _ given: GivenFieldSets?, on connection: Connection
  ) throws -> (result: InsertResult, keys: Range<Int64>) {
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
      lookup: DestinationLookup(in: layout, store: store, on: connection), upsert: upsert,
      settingLater: false)
    while let batch = try queue.takeFilled() {
      try cancellation.check()
      try writer.writeAll(batch, input: input)
      queue.putEmpty(batch)
      progress(writer.count)
    }
    // Ctrl-C also ends a program that writes the input to a pipe. The input then ends too early, without an error.
    try cancellation.check()
    try writer.finish()
    try counts.check()
    try keys.record()
    try changes.finish()
    try keep?(writer.writtenRows, connection)
    let result = InsertResult(
      inserted: writer.insertedCount, updated: writer.updatedCount,
      unchanged: writer.count - writer.insertedCount - writer.updatedCount, roundedDecimals: 0,
      withoutKeyValue: policy == .fail ? 0 : upsert?.keylessCount ?? 0)
    return (result, writer.insertedKeys)
  }

  /// Parses the input. After the first wrong record, no more records are written, but reading continues until there are
  /// too many errors, so that the user sees several errors together.
  ///
  /// - Returns: the number of rounded decimals.
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
        // An error without a record number is in the header. All records are then wrong.
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

  /// A number that one thread writes before it ends, and another one reads afterwards.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }
}

extension Store {
  /// Inserts the records of a text as rows of the plan's entity: all of them, or none if it throws.
  ///
  /// - Throws: `DiagnosticError` with the errors of the input, `RowError`, `InsertPlanError`, `MemberCountError`,
  ///   `DatabaseError`, `Cancelled`.
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
