import Foundation
import SQLiteAccess
import StoreCore
import StoreDiagnostics
public import StoreEngine
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Reduces the size of a store's file, as the command `compact` does. It reclaims the space of deleted rows, moves
  /// the content of the `-wal` file to the main file, and stores the rows of each table contiguously.
  ///
  ///     let result = try await PersistentStore.compact("Todo.sqlite")
  ///     print(result.bytesBefore, "bytes before,", result.bytesAfter ?? 0, "bytes after")
  ///
  /// Close the store in all programs first, including this one. The store is checked for damage first, and the numbers
  /// of rows are compared afterwards. The file is rewritten in one transaction, so an error or a cancellation before
  /// its end leaves the store unchanged. Orphaned files are removed after it. The store is read several times and
  /// written once. It requires free space of the size of its used pages in its folder and in the folder for temporary
  /// files.
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - models: the versions that may have written the store. With models, orphaned files that are older than an hour
  ///     are removed: files with a large value that no row refers to. Without models, no files are removed.
  ///   - dryRun: whether to return the space that can be reclaimed, the required space and the orphaned files without
  ///     changing the store. Programs may then have it open.
  /// - Returns: the sizes, and the orphaned files.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `damaged`, `locked` if a program has the store
  ///   open, `readOnly`, `unknownVersion` if none of the models wrote the store, `unsupportedStore` if SQLite can't
  ///   rewrite an object of the file, or `inputOutput`, also if there isn't enough free space; `CancellationError`.
  public static func compact(
    _ path: some FileLocation, removingOrphansOf models: [DataModel] = [], dryRun: Bool = false
  ) async throws -> CompactionResult {
    let path = try storePath(path)
    // While the connection of a dry run is open, other stores aren't opened (see `opener`).
    let worker = dryRun ? opener : SerialWorker(named: "storetool.compact")
    return try await worker.run { cancellation in
      do {
        if dryRun {
          return try Store.open(path, .reading).closing { store in
            try Compaction(of: store, cancellation: cancellation).outlook()
          }
        }
        let version =
          models.isEmpty ? nil : try opener.runNow { try writer(of: path, among: models) }
        let store = try opener.runNow { try Store.openExclusively(path) }
        let layout = try version.map { try store.layout(for: $0.0, configuration: $0.1) }
        return try Compaction(of: store, cancellation: cancellation).run(removingFilesIn: layout)
      } catch let error as NoSpaceError {
        throw StoreError(.inputOutput, error.diagnostics)
      } catch let error as CompactionError {
        throw StoreError(error.reason, error.diagnostics)
      } catch {
        throw StoreError.translating(error)
      }
    }
  }
}

extension CompactionError {
  fileprivate var reason: StoreError.Reason {
    switch self {
    case .refused: .unsupportedStore
    case .rowsDiffer: .bug
    }
  }
}
