import RecordFormats
import SQLiteAccess
import StoreDiagnostics
public import StoreEngine
public import StoreModel

extension PersistentStore {
  /// Writes rows with all of their values and relationships to a file, as the command `export` does.
  ///
  ///     try await store.export(to: "all.ndjson")
  ///     try await store.export(ExportRequest(Order.self, where: \.amount > 100), as: .csv, to: "orders.csv")
  ///
  /// All rows come from one state of the store, while this program and others write. In a store with a rollback
  /// journal, writes wait for the end of the export for at most the `lockTimeout`. The file receives its name when it
  /// is complete, so a failed or cancelled export doesn't leave a file. Rows aren't collected in memory.
  ///
  /// - Parameters:
  ///   - request: the rows. The default is all rows.
  ///   - format: the format of the file.
  ///   - path: the path of the file.
  ///   - replacesExisting: whether to replace an existing file.
  ///   - progress: called on another thread with the number of rows, every few hundred rows and once at the end. The
  ///     export waits until it returns.
  /// - Returns: the number of rows, and the numbers of related rows that were added or omitted.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   format can't contain the entities, `exists` if the file exists and isn't replaced, `notFound` if the folder
  ///   doesn't exist or the external file of a value is missing, `damaged` if a row has an unknown entity, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func export(
    _ request: ExportRequest = ExportRequest(), as format: ExportFormat = .ndjson,
    to path: some FileLocation, replacesExisting: Bool = false,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> ExportResult {
    let (target, own) = (try path.localPath(), LocalPath(self.path))
    let draft: NewFile
    do {
      if let file = FileIdentity(of: target), file == FileIdentity(of: own) {
        throw DatabaseError.exists(path: target)
      }
      // Users without access to the store must not gain access through the export.
      draft = try NewFile(target: target, like: own, replaces: replacesExisting)
    } catch {
      throw StoreError.translating(error)
    }
    defer { draft.discard() }
    let result = try await readingApart(for: .export) { reading in
      let file: OutputFile
      do throws(OutputError) {
        file = try OutputFile.existing(at: draft.path)
      } catch {
        throw StoreError(.inputOutput, error.diagnostics)
      }
      return try request.write(reading, as: format, to: file, progress)
    }
    // A store without locks is known to be unchanged only after it was read.
    try await SerialWorker(named: "storetool.export").run { _ in
      do { try draft.publish() } catch { throw StoreError.translating(error) }
    }
    return result
  }

  /// Returns the text of an export as pieces of about 64 KiB, for example for the body of an HTTP response.
  ///
  ///     for try await bytes in store.exportedBytes(ExportRequest(["Order"]), as: .json) { try await send(bytes) }
  ///
  /// Each loop reads one state of the store on a separate connection. At most four pieces are read ahead. In a store
  /// with a rollback journal, writes wait for the end of the loop for at most the `lockTimeout`, so the loop must not
  /// write to the store.
  ///
  /// - Parameters:
  ///   - request: the rows. The default is all rows.
  ///   - format: the format of the text.
  /// - Returns: the pieces. Iterating throws the errors of `export`.
  public func exportedBytes(
    _ request: ExportRequest = ExportRequest(), as format: ExportFormat = .ndjson
  ) -> ExportedBytes {
    ExportedBytes(store: self, request: request, format: format)
  }
}
