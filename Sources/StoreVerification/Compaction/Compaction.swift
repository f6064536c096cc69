package import StoreDiagnostics
package import StoreCore
package import StoreLayout
import SQLiteAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a store's file anew without the pages that deleted rows have left, by SQLite's VACUUM
/// (https://www.sqlite.org/lang_vacuum.html), which is one transaction: a store that was compacted half is as it was.
package struct Compaction {
  /// What is being done, for people who wait.
  package enum Phase: Hashable, Sendable {
    case checking
    case compacting
    case comparing
  }

  private let store: Store
  private let orphans: OrphanFiles
  private let cancellation: Cancellation
  private let progress: (Phase) -> Void

  /// - Parameters:
  ///   - store: opened alone; open for reading it can only tell.
  ///   - now: seconds since 1970, for the age of files.
  package init(
    of store: Store, now: Double = Date().timeIntervalSince1970,
    cancellation: Cancellation = .ofProcess, progress: @escaping (Phase) -> Void = { _ in }
  ) {
    self.store = store
    orphans = store.orphanFiles(at: now)
    self.cancellation = cancellation
    self.progress = progress
  }

  /// What compacting would find, and what it would need.
  ///
  /// - Throws: `DatabaseError`, `damaged` for a store that is not whole
  package func outlook() throws -> CompactionResult {
    progress(.checking)
    let bytes = try DatabaseFile(store.path).totalSize
    return try store.read(cancellation: cancellation) { connection in
      try connection.refuseDamage()
      let space = try CompactionSpace(of: store.path, on: connection)
      var result = CompactionResult(bytesBefore: bytes, freeBytes: space.free)
      result.needs = space.needs
      try result.add(orphans.sorted(connection))
      return result
    }
  }

  /// Compacts the store and closes it: only then the `-wal` is in the file.
  ///
  /// - Parameter layout: of the model that wrote the store, for files of no row to be removed; nil to leave them.
  /// - Throws: as `outlook`; `NoSpaceError`, `CompactionError`; the store is then as it was.
  package func run(removingFilesIn layout: StoreLayout? = nil) throws -> CompactionResult {
    var result = try outlook()
    for need in result.needs { try need.require() }
    let before = try store.read(cancellation: cancellation) { try $0.rowCounts() }
    progress(.compacting)
    try vacuum()
    progress(.comparing)
    try store.read { connection in
      try connection.quickCheck()
      let after = try connection.rowCounts()
      guard
        let table = Set(before.keys).union(after.keys).sorted().first(where: {
          before[$0] != after[$0]
        })
      else { return }
      throw CompactionError.rowsDiffer(table: table, before: before[table], after: after[table])
    }
    if let layout { try removeFiles(in: layout, &result) }
    try store.close()
    result.bytesAfter = try DatabaseFile(store.path).totalSize
    return result
  }

  private func vacuum() throws {
    do {
      try store.database.use(heeding: cancellation) { connection in
        _ = try connection.interrupting(on: cancellation) { try connection.run("VACUUM") }
      }
    } catch DatabaseError.sql(_, _, let message) {
      // An index of an app's own may need what this SQLite does not have.
      throw CompactionError.refused(words: message)
    }
  }

  /// What is removed is asked of the store as it is then, as by a repair.
  private func removeFiles(in layout: StoreLayout, _ result: inout CompactionResult) throws {
    var outcome = Store.RepairResult()
    let removable = try store.read {
      try store.filesToRemove(orphans, in: layout, $0, &outcome)
    }
    result.youngFiles = outcome.youngFiles
    result.doubtfulFiles = outcome.doubtfulFiles
    result.orphanFiles = outcome.doubtfulFiles
    guard !removable.isEmpty else { return }
    result.removedFiles = try store.remove(orphans, &outcome)
    result.filesLeft = outcome.filesLeft
  }
}

extension CompactionResult {
  fileprivate mutating func add(_ files: OrphanFiles.Sorted) {
    orphanFiles = files.removable
    youngFiles = files.young
  }
}

extension DatabaseFile {
  /// With the `-wal`.
  fileprivate var totalSize: Int64 { size + (walSize ?? 0) }
}
