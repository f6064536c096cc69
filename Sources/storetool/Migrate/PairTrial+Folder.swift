import SQLiteAccess
import StoreDiagnostics
import StoreMigration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PairTrial {
  /// Runs trials with stores in a temporary folder, which is removed at the end.
  ///
  /// - Throws: `DatabaseError` if the folder can't be created; what `body` throws.
  static func withTemporaryFolder<Result>(_ body: (FilePath) throws -> Result) throws -> Result {
    let folder = DatabaseFile.temporaryFolder
      .appending("storetool-matrix-\(UUID().uuidString)")
    do {
      try folder.makeFolders()
    } catch {
      throw DatabaseFile.error(error, folder)
    }
    defer {
      do {
        try folder.removeAll()
      } catch {
        // The system clears its folder for temporary files.
      }
    }
    return try body(folder)
  }
}
