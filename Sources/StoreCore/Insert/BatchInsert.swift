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

/// The mistakes of an input. One that most records share, as in a file of another kind, is not told for each.
struct RecordIssues {
  /// In the order of the input.
  private var told: [Diagnostic] = []
  private var kinds: [Kind: (last: Int, told: Int, untold: Int)] = [:]
  private var count = 0

  private struct Kind: Hashable {
    var code: String
    /// The property, or the message.
    var subject: String
  }

  private static let toldOfAKind = 3
  /// After so many the rest of the input is not looked at, whether they are told or not.
  private let limit: Int

  /// - Parameter isFile: whether the input ends by itself: the records of a program may take forever to come.
  init(isFile: Bool) {
    limit = isFile ? 1_000 : BatchInsert.errorLimit
  }

  var isEmpty: Bool { told.isEmpty }
  var areTooMany: Bool { told.count >= BatchInsert.errorLimit || count >= limit }

  mutating func add(_ error: RowError) {
    count += 1
    guard error.record != nil, let diagnostic = error.diagnostics.first else {
      return told += error.diagnostics
    }
    let kind = Kind(code: diagnostic.code, subject: error.subject)
    var known = kinds[kind] ?? (0, 0, 0)
    if known.told < (error.isOfRecord ? Self.toldOfAKind : 1) {
      known = (told.count, known.told + 1, 0)
      told.append(diagnostic)
    } else {
      known.untold += 1
    }
    kinds[kind] = known
  }

  mutating func add(_ error: InputError) {
    count += 1
    told += error.diagnostics
  }

  var diagnostics: [Diagnostic] {
    var diagnostics = told
    for (last, _, untold) in kinds.values where untold > 0 {
      let more = count >= limit ? "at least \(untold)" : "\(untold)"
      diagnostics[last] = diagnostics[last].helping(
        "the same is wrong with \(more) more \("record".plural(untold))")
    }
    return diagnostics
  }
}

extension RowError {
  /// What errors of one kind have in common.
  fileprivate var subject: String {
    switch kind {
    case .value(let property, _, _), .danglingReference(let property, _, _),
      .destination(let property, _):
      property
    default: "\(kind)"
    }
  }

  /// Whether each record may be wrong in its own way.
  fileprivate var isOfRecord: Bool {
    if case .value = kind { true } else { false }
  }
}
