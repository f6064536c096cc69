import SQLiteAccess
package import StoreCore
public import StoreDiagnostics
package import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rewrites a store's file with SQLite's VACUUM (https://www.sqlite.org/lang_vacuum.html), which removes the free pages
/// of deleted rows. VACUUM is one transaction, so an interruption doesn't change the store.
package struct Compaction {
  /// The current step, for progress messages.
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
  ///   - store: a store that no other process has opened. A store that is open only for reading supports only
  ///     `outlook`.
  ///   - now: the current time in seconds since 1970, which determines the age of files.
  package init(
    of store: Store, now: Double = Date().timeIntervalSince1970,
    cancellation: Cancellation = .ofProcess, progress: @escaping (Phase) -> Void = { _ in }
  ) {
    self.store = store
    orphans = store.orphanFiles(at: now)
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Returns the size of the free pages, the required disk space and the orphaned files, without changing the store.
  ///
  /// - Throws: `DatabaseError`, which is `damaged` if the store isn't intact.
  package func outlook() throws -> CompactionResult {
    progress(.checking)
    let bytes = try DatabaseFile(store.path).totalSize
    return try store.read(cancellation: cancellation) { connection in
      try connection.refuseDamage()
      let all = try connection.byteCount()
      let free =
        try connection.integer("PRAGMA freelist_count") * connection.integer("PRAGMA page_size")
      var result = CompactionResult(bytesBefore: bytes, freeBytes: free)
      result.needs = try needs(all, live: all - free, on: connection)
      let files = try orphans.sorted(connection)
      (result.orphanFiles, result.youngFiles) = (files.removable, files.young)
      return result
    }
  }

  /// Returns the disk space for VACUUM (https://www.sqlite.org/lang_vacuum.html): a copy of the used pages in a
  /// temporary file, and next to the store the new pages in the `-wal` or the old pages in the rollback journal.
  private func needs(
    _ all: Int64, live: Int64, on connection: Connection
  ) throws(DatabaseError) -> [DiskNeed] {
    let isLogged = try connection.rows("PRAGMA journal_mode").first?.first?.text == "wal"
    return DiskNeed.needs(
      beside: store.path, (isLogged ? live : all) + Self.allowance, temporary: live)
  }

  /// An allowance in bytes for the headers of frames in the `-wal` and for the metadata of the file system.
  private static let allowance: Int64 = 1 << 16

  /// Compacts the store and closes it, which copies the `-wal` into the file.
  ///
  /// - Parameter layout: the layout of the store's model. If it is nil, orphaned files aren't removed.
  /// - Throws: `DatabaseError`, `NoSpaceError`, `CompactionError`. Errors before the end of VACUUM, which include
  ///   `NoSpaceError` and `refused`, leave the store unchanged.
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
      // The store may have an index that requires a function that this SQLite doesn't have.
      throw CompactionError.refused(words: message)
    }
  }

  /// Removes orphaned files under the same conditions as a repair, and adds the remaining files to `result`.
  private func removeFiles(in layout: StoreLayout, _ result: inout CompactionResult) throws {
    var outcome = RepairResult()
    let removable = try store.read {
      try store.filesToRemove(orphans, in: layout, $0, &outcome)
    }
    result.youngFiles = outcome.youngFiles
    result.doubtfulFiles = outcome.doubtfulFiles
    result.orphanFiles = outcome.doubtfulFiles
    guard !removable.isEmpty else { return }
    result.removedFiles = try store.remove(orphans, &outcome)
    result.filesLeft = outcome.undeletableFiles
  }
}

extension DatabaseFile {
  /// The size of the file and its `-wal`.
  fileprivate var totalSize: Int64 { size + (walSize ?? 0) }
}

/// The error of a failed compaction. The store is unchanged, except after `rowsDiffer`.
package enum CompactionError: Error, Hashable, Sendable {
  /// SQLite can't rewrite the file. Contains SQLite's message.
  case refused(words: String)
  /// A table of the rewritten file has another number of rows. A number is nil if the table doesn't exist.
  case rowsDiffer(table: String, before: Int64?, after: Int64?)
}

extension CompactionError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .refused(let words):
      .error(
        "compact.refused", "SQLite can't rewrite the store: \(words)",
        help: ["drop the object outside of the model that requires a missing function or module"])
    case .rowsDiffer(let table, let before, let after):
      .error(
        "compact.rows-differ",
        "\(table) has \(Self.rows(after)) after the compaction and had \(Self.rows(before)) before",
        cause: .bug,
        help: ["this is a bug in SQLite or storetool; restore a copy of the store"])
    }
  }

  private static func rows(_ count: Int64?) -> String {
    count.map { $0 == 1 ? "1 row" : "\($0) rows" } ?? "no rows, because it doesn't exist"
  }
}

/// The result of compacting a store, or of its dry run.
public struct CompactionResult: Hashable, Sendable {
  /// The size of the file and its `-wal`.
  public var bytesBefore: Int64
  /// The size after the compaction; `nil` after a dry run.
  public var bytesAfter: Int64?
  /// The size of the free pages in bytes. Partly empty pages aren't included.
  public var freeBytes: Int64
  /// The free space that is required on the disks.
  public var needs: [DiskNeed] = []
  /// The names of orphaned files that can be removed: files with a large value that no row refers to. After a
  /// compaction that removes orphaned files, it contains the `doubtfulFiles`.
  public var orphanFiles: [String] = []
  /// The names of orphaned files that are so new that a program may still be writing their rows.
  public var youngFiles: [String] = []
  /// The names of orphaned files that may belong to values with missing files.
  public var doubtfulFiles: [String] = []
  /// The names of orphaned files that were removed.
  public var removedFiles: [String] = []
  /// The names of orphaned files that couldn't be removed.
  public var filesLeft: [String] = []
}

/// The free space in bytes that a folder's disk must have.
public struct DiskNeed: Hashable, Sendable {
  /// The path of the folder.
  public var folder: LocalPath
  /// The required number of free bytes.
  public var bytes: Int64

  package init(folder: LocalPath, bytes: Int64) {
    (self.folder, self.bytes) = (folder, bytes)
  }

  /// Returns the requirements for `bytes` next to a file, and for the bytes of temporary files. If both folders are on
  /// the same disk, returns one requirement.
  package static func needs(beside path: LocalPath, _ bytes: Int64, temporary: Int64) -> [DiskNeed]
  {
    let folder = path.folder.orHere
    let own = folder.hasSuffix("/") && folder != "/" ? folder.dropLast() : folder
    let other = DatabaseFile.temporaryFolder
    guard DatabaseFile.isSameDisk("\(other)/", path) else {
      return [DiskNeed(folder: own, bytes: bytes), DiskNeed(folder: other, bytes: temporary)]
    }
    return [DiskNeed(folder: own, bytes: bytes + temporary)]
  }

  /// - Throws: `NoSpaceError`
  package func require() throws(NoSpaceError) {
    guard let free = DatabaseFile.freeSpace(beside: "\(folder)/"), free < bytes else { return }
    throw NoSpaceError(folder: folder, needed: bytes, free: free)
  }
}

/// The error for a disk with too little free space.
package struct NoSpaceError: DiagnosableError, Hashable {
  package var folder: LocalPath
  /// The required number of bytes.
  package var needed: Int64
  /// The number of free bytes.
  package var free: Int64

  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "store.no-space",
        "\(ByteCount.text(needed)) of free space is required in '\(folder)', which has \(ByteCount.text(free))",
        cause: .inputOutput,
        help: [
          """
          free space there, or set SQLITE_TMPDIR or TMPDIR to a folder on another disk for the temporary files, which \
          need about half of the space
          """
        ])
    ]
  }
}
