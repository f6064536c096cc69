public import StoreModel
import StoreLayout
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
public import StorePredicate
import StoreCore

extension PersistentStore {
  /// Inserts all records as rows of an entity, or none of them.
  ///
  ///     try await store.batchInsert([["name": .string("Tigers"), "points": .integer(3)]], into: "Team")
  ///
  /// The keys of a record are attributes, elements of composites (`address.city`) and to-one relationships. Omitted
  /// properties have the model's default. An attribute accepts values of its type, and numbers of another type if the
  /// conversion is exact. A to-one accepts an object ID, or the value of a unique attribute of the destination.
  ///
  /// - Parameters:
  ///   - records: the records, which are read once, on another thread. They aren't in memory together.
  ///   - entity: the name of the entity.
  ///   - policy: the behavior if a row has the unique values of a record. An entity without a uniqueness constraint
  ///     requires a `key` for another policy than `fail`.
  ///   - key: attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: false skips the model's validation rules for values, like Core Data's batch inserts.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result. The default is the counts. Object IDs include new rows, and rows that
  ///     `ConflictPolicy.update` changed.
  ///   - progress: is called on another thread with the number of written records, after each few hundred records and
  ///     at the end. The request waits for it.
  /// - Throws: `StoreError`: `invalidRequest` for an unknown entity or property, `invalidData` with the number of each
  ///   record that the model doesn't allow, `notUnique`, `locked`, `inputOutput`; `CancellationError`. The store is
  ///   then unchanged.
  @discardableResult
  public func batchInsert<Records: Sequence, Returned>(
    _ records: sending Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true, author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Records.Element == [String: Value] {
    let total = (records as? any Collection)?.count
    var iterator = records.makeIterator()
    // Only one thread calls it.
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

  /// Inserts records from an asynchronous sequence: all of them after it ends, or none if it throws.
  ///
  /// At most a few hundred records are read ahead. The store is locked for writing until the sequence ends, so the
  /// sequence must not wait for another request to the same store. A canceled task waits for a sequence that ignores
  /// cancellation.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - entity: the name of the entity.
  ///   - policy: the behavior if a row has the unique values of a record.
  ///   - key: attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: false skips the model's validation rules for values.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of written records.
  /// - Throws: an error of the sequence; `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`,
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func batchInsert<Records: AsyncSequence, Returned>(
    _ records: sending Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true, author: ChangeAuthor = .storetool,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Records.Element == [String: Value] {
    let feed = RecordFeed()
    // Only one task calls it.
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

  /// Inserts the records of a file: NDJSON, a JSON array, or CSV with a header. A relationship can also be a predicate
  /// in parentheses: `(name == "Tigers")`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - format: the format. The default depends on the file's extension, and is JSON for an unknown extension.
  ///   - entity: the name of the entity.
  ///   - policy: the behavior if a row has the unique values of a record.
  ///   - key: attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: false skips the model's validation rules for values.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of written records.
  /// - Throws: `StoreError`: `notFound` for a missing file, `invalidRequest`, `invalidData` with the line and column of
  ///   up to twenty wrong records, `notUnique`, `locked`, `inputOutput`; `CancellationError`. The store is then
  ///   unchanged.
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
