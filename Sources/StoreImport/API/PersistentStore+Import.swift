import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
public import StoreEngine
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Imports nested JSON, NDJSON or CSV as rows with relationships, as the command `import` does. It reads the files
  /// that `export` writes. If one record is rejected, no rows are changed.
  ///
  ///     let result = try await store.importRecords(
  ///       contentsOf: ["teams.json", "players.csv"], settings: ImportSettings(conflictPolicy: .update))
  ///     print(result.inserted, result.updated, result.relinked)
  ///
  /// A nested object of a to-one relationship becomes its destination, and the elements of an array become the members
  /// of a to-many relationship. All files are one import, and their records can refer to each other in any order.
  ///
  /// - Parameters:
  ///   - paths: the paths of the files.
  ///   - format: the format of all files. The default depends on the extension of each file, and is JSON if the
  ///     extension is unknown.
  ///   - settings: how records are converted to rows.
  ///   - author: the author of the change in the persistent history.
  ///   - progress: called on another thread with the number of records, every few hundred records and once at the end.
  ///     The import waits until it returns.
  /// - Returns: the numbers of rows by entity.
  /// - Throws: `StoreError` with the reason `notFound` if a file doesn't exist, `invalidRequest` if the settings don't
  ///   fit the model, `invalidData` if a record doesn't fit the model or refers to a missing row (the diagnostics
  ///   contain file, line and column), `notUnique`, `locked`, `readOnly`, or `inputOutput`; `CancellationError`. After
  ///   an error the store is unchanged.
  @discardableResult
  public func importRecords(
    contentsOf paths: [any FileLocation], format: RecordFormat? = nil,
    settings: ImportSettings = ImportSettings(), author: ChangeAuthor = .storetool,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> ImportResult {
    let paths = try paths.map { try $0.localPath() }
    return try await importing(settings, as: author, progress) { cancellation in
      try paths.map { path in
        var file = try InputFile(path: path, cancellation: cancellation)
        file.recordLimit = RecordLimit.standard
        return ImportInput(file, format: format ?? RecordFormat(path: path) ?? .json)
      }
    }
  }

  /// Imports the bytes of an asynchronous sequence as rows with relationships, for example the body of an HTTP request.
  /// If the sequence throws, no rows are changed.
  ///
  ///     try await store.importRecords(from: request.body, settings: ImportSettings(entity: "Venue"))
  ///
  /// At most 16 elements of the sequence are read ahead. The store is locked for writing until the sequence ends, so
  /// the sequence must not wait for another request to the same store. If the task is cancelled, the import ends when
  /// the sequence ends or throws.
  ///
  /// - Parameters:
  ///   - bytes: the pieces of the text, which may end anywhere.
  ///   - format: the format of the text. The default is JSON, which includes NDJSON.
  ///   - settings: how records are converted to rows.
  ///   - author: the author of the change in the persistent history.
  ///   - progress: called on another thread with the number of records.
  /// - Returns: the numbers of rows by entity.
  /// - Throws: the errors of the sequence; `StoreError` with the reason `invalidRequest` if the settings don't fit the
  ///   model, `invalidData` if a record doesn't fit the model or refers to a missing row, `notUnique`, `locked`,
  ///   `readOnly`, or `inputOutput`; `CancellationError`. After an error the store is unchanged.
  @discardableResult
  public func importRecords<Bytes: AsyncSequence>(
    from bytes: sending Bytes, format: RecordFormat = .json,
    settings: ImportSettings = ImportSettings(), author: ChangeAuthor = .storetool,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> ImportResult where Bytes.Element: Sequence<UInt8> & Sendable {
    let feed = RecordFeed<[UInt8]>(limit: 16)
    // Only one task calls it.
    nonisolated(unsafe) let fill = { () async in await feed.fill(from: bytes.map { Array($0) }) }
    return try await withThrowingTaskGroup(of: ImportResult?.self) { group in
      group.addTask {
        await fill()
        return nil
      }
      group.addTask { [self] in
        defer { feed.end(.failure(CancellationError())) }
        return try await withTaskCancellationHandler {
          try await importing(settings, as: author, progress) { _ in
            [ImportInput(FeedSource(feed), format: format)]
          }
        } onCancel: {
          feed.end(.failure(CancellationError()))
        }
      }
      var returned: ImportResult?
      while let next = try await group.next() { returned = returned ?? next }
      guard let returned else { throw CancellationError() }
      return returned
    }
  }

  private func importing(
    _ settings: ImportSettings, as author: ChangeAuthor,
    _ progress: (@Sendable (BatchProgress) -> Void)?,
    _ inputs: @escaping @Sendable (Cancellation) throws -> [ImportInput]
  ) async throws -> ImportResult {
    try await insertRows(as: author) { writing in
      do {
        let work: GraphImport
        do {
          work = try settings.graphImport(into: writing.layout, store: writing.store)
        } catch let error as ImportError {
          throw StoreError(.invalidRequest, error.diagnostics)
        }
        let result = try work.run(
          inputs(writing.cancellation), on: writing.connection, session: writing.session,
          cancellation: writing.cancellation
        ) { progress?(BatchProgress(rows: $0)) }
        progress?(BatchProgress(rows: result.records, total: result.records))
        return result
      } catch let error as ImportError {
        throw StoreError(.invalidData, error.diagnostics)
      } catch let error as DateFormatError {
        throw StoreError(.invalidRequest, error.diagnostics)
      }
    }
  }
}

/// The bytes that a task passes to the thread of an import.
private struct FeedSource: ByteSource {
  let name = "<stream>"
  private let feed: RecordFeed<[UInt8]>
  private var rest: ArraySlice<UInt8> = []

  var recordLimit: Int { RecordLimit.standard }

  init(_ feed: RecordFeed<[UInt8]>) { self.feed = feed }

  mutating func read(into space: UnsafeMutableRawBufferPointer) throws -> Int {
    while rest.isEmpty {
      guard let next = try feed.next() else { return 0 }
      rest = next[...]
    }
    let piece = rest.prefix(space.count)
    space.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
