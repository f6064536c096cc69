public import StoreModel
import StoreLayout
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
public import StorePredicate
import StoreCore

extension PersistentStore {
  /// Inserts records as rows of one entity. If one record is rejected, no rows are inserted.
  ///
  ///     try await store.batchInsert([["name": .string("Tigers"), "points": .integer(3)]], into: "Team")
  ///
  /// A record contains attributes, elements of composites (`address.city`) and to-one relationships. Omitted properties
  /// use the model's default. An attribute accepts values of its type, and numbers of another type that convert without
  /// loss. A to-one relationship accepts an object ID, or the value of a unique attribute of the destination.
  ///
  /// - Parameters:
  ///   - records: the records. They are read once, on the caller's actor, and aren't collected in memory.
  ///   - entity: the name of the entity.
  ///   - policy: what to do with a record if a row has the same unique values. Policies other than `fail` require a
  ///     uniqueness constraint or a `key`.
  ///   - key: the attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - author: the author of the change in the persistent history.
  ///   - result: what to return. The default is the counts. `.objectIDs` returns the IDs of new rows and of rows that
  ///     `ConflictPolicy.update` has changed.
  ///   - progress: called on another thread with the number of processed records, every few hundred records and once at
  ///     the end. The request waits until it returns.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a record (the diagnostics contain its number), `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`. After an error the store is unchanged.
  @discardableResult
  public nonisolated(nonsending) func batchInsert<Records: Sequence, Returned>(
    _ records: Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true, author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Records.Element == [String: DataValue] {
    let insertion = Insertion(
      entity: entity, policy: policy, key: key, validates: validates, author: author,
      result: result, progress: progress, total: (records as? any Collection)?.count)
    let feed = RecordFeed<[String: DataValue]>()
    var iterator = records.makeIterator()
    // A short sequence doesn't require a second task.
    guard feed.begin(&iterator) else { return try await insert(insertion, from: feed) }
    async let returned = insert(insertion, from: feed)
    await feed.fill(from: &iterator)
    return try await returned
  }

  /// Inserts the records of an asynchronous sequence as rows of one entity. If the sequence throws, no rows are
  /// inserted.
  ///
  /// At most a few hundred records are read ahead. The store is locked for writing until the sequence ends, so the
  /// sequence must not wait for another request to the same store. If the task is cancelled, the request ends when the
  /// sequence ends or throws.
  ///
  /// - Parameters:
  ///   - records: the records. They aren't collected in memory.
  ///   - entity: the name of the entity.
  ///   - policy: what to do with a record if a row has the same unique values. Policies other than `fail` require a
  ///     uniqueness constraint or a `key`.
  ///   - key: the attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - author: the author of the change in the persistent history.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the number of processed records.
  /// - Returns: the requested form of the result.
  /// - Throws: the errors of the sequence; `StoreError` with the reason `invalidRequest` if the entity or a property
  ///   doesn't exist, `invalidData` if the model doesn't allow a record, `notUnique`, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func batchInsert<Records: AsyncSequence, Returned>(
    _ records: sending Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true, author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Records.Element == [String: DataValue] {
    let insertion = Insertion(
      entity: entity, policy: policy, key: key, validates: validates, author: author,
      result: result, progress: progress)
    let feed = RecordFeed<[String: DataValue]>()
    // Only one task calls it.
    nonisolated(unsafe) let fill = { () async in await feed.fill(from: records) }
    return try await withThrowingTaskGroup(of: Returned?.self) { group in
      group.addTask {
        await fill()
        return nil
      }
      group.addTask { [self] in try await insert(insertion, from: feed) }
      var returned: Returned?
      while let next = try await group.next() { returned = returned ?? next }
      guard let returned else { throw CancellationError() }
      return returned
    }
  }

  /// Inserts the records of a file: NDJSON, a JSON array, or CSV with a header. A relationship may also be a predicate
  /// in parentheses: `(name == "Tigers")`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - format: the format of the file. The default depends on the file's extension, and is JSON if the extension is
  ///     unknown.
  ///   - entity: the name of the entity.
  ///   - policy: what to do with a record if a row has the same unique values.
  ///   - key: the attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - author: the author of the change in the persistent history.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the number of processed records.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `notFound` if the file doesn't exist, `invalidRequest` if the entity or a
  ///   property doesn't exist, `invalidData` if the model doesn't allow a record, `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`. Diagnostics contain line and column. At most twenty invalid records are
  ///   reported.
  @discardableResult
  public func batchInsert<Returned>(
    contentsOf path: some FileLocation, format: RecordFormat? = nil, into entity: String,
    onConflict policy: ConflictPolicy = .fail, key: [String] = [], validates: Bool = true,
    author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    let path = try path.localPath()
    let insertion = Insertion(
      entity: entity, policy: policy, key: key, validates: validates, author: author,
      result: result, progress: progress)
    return try await insert(insertion) { batch, connection, cancellation in
      let source = try InputFile(path: path, cancellation: cancellation)
      let format = format ?? RecordFormat(path: path) ?? .json
      return try batch.run(source, format: format, on: connection)
    }
  }

  /// The arguments of a batch insert.
  private struct Insertion<Returned: Sendable>: Sendable {
    let entity: String
    let policy: ConflictPolicy
    let key: [String]
    let validates: Bool
    let author: ChangeAuthor
    let result: BatchResult<InsertResult, Returned>
    let progress: (@Sendable (BatchProgress) -> Void)?
    var total: Int?
  }

  /// Inserts the records that another task passes to the feed.
  private func insert<Returned>(
    _ insertion: Insertion<Returned>, from feed: RecordFeed<[String: DataValue]>
  ) async throws -> Returned {
    defer { feed.end(.failure(CancellationError())) }
    return try await withTaskCancellationHandler {
      try await insert(insertion) { batch, connection, _ in
        try batch.run(input: "", on: connection) { ValueRecordReader(next: feed.next) }
      }
    } onCancel: {
      feed.end(.failure(CancellationError()))
    }
  }

  private func insert<Returned>(
    _ insertion: Insertion<Returned>,
    _ body: @escaping @Sendable (BatchInsert, Connection, Cancellation) throws -> InsertResult
  ) async throws -> Returned {
    try await perform(StoreRequest(.batchInsert, of: insertion.entity)) {
      [self] cancellation, run in
      let plan = try InsertPlan(entity: insertion.entity, in: layout)
      return try finish(insertion.result, run) { keep in
        let outcome = try store.transact(
          as: insertion.author.origin, cancellation: cancellation
        ) { open in
          let batch = BatchInsert(
            plan, in: layout, store: store.metadata.uuid, on: insertion.policy, key: insertion.key,
            validates: insertion.validates, cancellation: cancellation, session: open.session,
            progress: {
              insertion.progress?(BatchProgress(rows: $0, total: insertion.total))
            }, keepingKeys: keep)
          return try body(batch, open.connection, cancellation)
        }.result
        let count = outcome.inserted + outcome.updated + outcome.unchanged
        insertion.progress?(BatchProgress(rows: count, total: count))
        return outcome
      }
    }
  }
}
