public import StoreModel
import StoreLayout
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
public import StorePredicate
import StoreCore

extension PersistentStore {
  /// Adds records as rows of one entity, all or none.
  ///
  ///     try await store.batchInsert([["name": .string("Tigers"), "points": .integer(3)]], into: "Team")
  ///
  /// A record names attributes, elements of composites (`address.city`) and to-one relationships; what
  /// it leaves out gets the model's default. Attributes take values of their own type, and numbers of
  /// another kind where nothing is lost. A to-one takes an object ID, or the value of the
  /// destination's attribute that is unique.
  ///
  /// - Parameters:
  ///   - records: read once, on another thread, and never held in memory together.
  ///   - entity: the name of the entity.
  ///   - policy: what becomes of a record whose unique values a row has. An entity without a
  ///     uniqueness constraint needs a `key` for another policy than `fail`.
  ///   - key: attributes that identify a row, in place of the entity's uniqueness constraints.
  ///   - validates: false leaves out what the model asks of values beyond their type, as Core Data's
  ///     batch inserts do.
  ///   - author: who makes the change, for the persistent history.
  ///   - result: what to return; the counts if nothing is said. Object IDs are those of new rows and of
  ///     rows that `ConflictPolicy.update` has changed.
  ///   - progress: called on another thread each few hundred records with those written so far, and
  ///     once at the end. It holds the request up while it runs.
  /// - Throws: `StoreError`: `invalidRequest` for an entity or a property that is none, `invalidData`
  ///   for records that the model does not allow, with the number of each, `notUnique`, `locked`,
  ///   `inputOutput`; `CancellationError`. The store is then as it was.
  @discardableResult
  public func batchInsert<Records: Sequence, Returned>(
    _ records: sending Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true, author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Records.Element == [String: Value] {
    let total = (records as? any Collection)?.count
    var iterator = records.makeIterator()
    // The one thread that calls it has them from here on.
    nonisolated(unsafe) let next = { iterator.next() }
    return try await perform(StoreRequest(.batchInsert, of: entity)) { [self] cancellation, run in
      try insert(
        into: entity, policy, key, validates, author, result, cancellation, run, progress,
        total: total
      ) { batch, connection in
        try batch.run(input: "", on: connection) { ValueRecordReader(next: next) }
      }
    }
  }

  /// Adds records as they come; all are in when the sequence ends, and none when it throws.
  ///
  /// The sequence is asked for no more than a few hundred records ahead. The store is locked for
  /// writing until it ends, so it must not wait for another request to the same store. Cancelling the
  /// task waits for a sequence that does not heed cancellation.
  ///
  /// - Throws: as with a `Sequence`; what the sequence throws, as it is.
  @discardableResult
  public func batchInsert<Records: AsyncSequence, Returned>(
    _ records: sending Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true, author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Records.Element == [String: Value] {
    let feed = RecordFeed()
    // The one task that calls it has them from here on.
    nonisolated(unsafe) let fill = { () async in await feed.fill(from: records) }
    return try await withThrowingTaskGroup(of: Returned?.self) { group in
      group.addTask {
        await fill()
        return nil
      }
      group.addTask { [self] in
        defer { feed.end(.failure(CancellationError())) }
        return try await withTaskCancellationHandler {
          try await perform(StoreRequest(.batchInsert, of: entity)) { cancellation, run in
            try self.insert(
              into: entity, policy, key, validates, author, result, cancellation, run, progress,
              total: nil
            ) { batch, connection in
              try batch.run(input: "", on: connection) { ValueRecordReader(next: feed.next) }
            }
          }
        } onCancel: {
          feed.end(.failure(CancellationError()))
        }
      }
      var returned: Returned?
      while let next = try await group.next() { returned = returned ?? next }
      guard let returned else { throw CancellationError() }
      return returned
    }
  }

  /// Adds the records of a file: NDJSON, a JSON array, or CSV below a header. Relationships may also
  /// be predicates in parentheses: `(name == "Tigers")`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - format: by the file's extension if nothing is said, and JSON where that says nothing.
  ///   - entity: the name of the entity.
  ///   - policy: what happens to a record whose unique values a row has.
  ///   - key: attributes that identify a row, in place of the entity's uniqueness constraints.
  ///   - validates: false skips the model's rules for values beyond their type.
  ///   - author: who makes the change, for the persistent history.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the rows done so far.
  /// - Throws: as with a `Sequence`, and `notFound` for a missing file. Diagnostics carry the line and
  ///   column; those of the first twenty wrong records are collected.
  @discardableResult
  public func batchInsert<Returned>(
    contentsOf path: String, format: RecordFormat? = nil, into entity: String,
    onConflict policy: ConflictPolicy = .fail, key: [String] = [], validates: Bool = true,
    author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await perform(StoreRequest(.batchInsert, of: entity)) { [self] cancellation, run in
      let source = try InputFile(path: FilePath(path), cancellation: cancellation)
      let format = format ?? RecordFormat(path: FilePath(path)) ?? .json
      return try insert(
        into: entity, policy, key, validates, author, result, cancellation, run, progress,
        total: nil
      ) { batch, connection in
        try batch.run(source, format: format, on: connection)
      }
    }
  }

  private func insert<Returned>(
    into entity: String, _ policy: ConflictPolicy, _ key: [String], _ validates: Bool,
    _ author: ChangeAuthor,
    _ result: BatchResult<InsertResult, Returned>, _ cancellation: Cancellation,
    _ run: RequestRun?, _ progress: (@Sendable (BatchProgress) -> Void)?, total: Int?,
    insert: (BatchInsert, Connection) throws -> InsertResult
  ) throws -> Returned {
    let plan = try InsertPlan(entity: entity, in: layout)
    return try finish(result, run) { keep in
      let outcome = try store.transact(as: author.origin, cancellation: cancellation) { open in
        let batch = BatchInsert(
          plan, in: layout, store: store.metadata.uuid, on: policy, key: key, validates: validates,
          cancellation: cancellation, session: open.session,
          progress: { progress?(BatchProgress(rows: $0, total: total)) }, keepingKeys: keep)
        return try insert(batch, open.connection)
      }.result
      let count = outcome.inserted + outcome.updated + outcome.unchanged
      progress?(BatchProgress(rows: count, total: count))
      return outcome
    }
  }
}
