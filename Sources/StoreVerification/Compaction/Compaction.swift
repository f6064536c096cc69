import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreLayout

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
      let files = try orphans.sorted(connection)
      (result.orphanFiles, result.youngFiles) = (files.removable, files.young)
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

extension DatabaseFile {
  /// With the `-wal`.
  fileprivate var totalSize: Int64 { size + (walSize ?? 0) }
}

/// The room that VACUUM takes (https://www.sqlite.org/lang_vacuum.html): a copy in a temporary file, and the pages that
/// are written over, or the new ones, beside the store until the end.
struct CompactionSpace {
  /// Bytes of pages that nothing is in.
  let free: Int64
  let needs: [DiskNeed]

  /// - Parameter path: the store's.
  /// - Throws: `DatabaseError`
  init(of path: FilePath, on connection: Connection) throws(DatabaseError) {
    let pageSize = try connection.integer("PRAGMA page_size")
    let all = try connection.byteCount()
    free = try connection.integer("PRAGMA freelist_count") * pageSize
    let live = all - free
    let isLogged = try connection.rows("PRAGMA journal_mode").first?.first?.text == "wal"
    needs = DiskNeed.needs(
      beside: path, (isLogged ? live : all) + Self.smallChange, temporary: live)
  }

  /// For the heads of frames and what the disk itself notes.
  private static let smallChange: Int64 = 1 << 16
}

/// Why a store was not compacted; but for `rowsDiffer` it is as it was.
package enum CompactionError: Error, Hashable, Sendable {
  /// SQLite can't write the file anew, in its words.
  case refused(words: String)
  /// The new file has other rows.
  case rowsDiffer(table: String, before: Int64?, after: Int64?)
}

extension CompactionError: DiagnosableError {
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .refused(let words):
      Diagnostic(
        .error, "compact.refused", "SQLite can't write the store anew: \(words)",
        help: ["something that is not of the model needs what is not here: drop it first"])
    case .rowsDiffer(let table, let before, let after):
      Diagnostic(
        .error, "compact.rows-differ",
        "\(table) has \(Self.rows(after)) now, and had \(Self.rows(before))", cause: .bug,
        help: ["this is a bug in SQLite or in storetool: go back to a copy of the store"])
    }
  }

  private static func rows(_ count: Int64?) -> String {
    count.map { $0 == 1 ? "1 row" : "\($0) rows" } ?? "no rows, being not there"
  }
}

/// What compacting a store has done, or would do.
package struct CompactionResult: Hashable, Sendable {
  /// Of the file and its `-wal`, as the one below.
  package var bytesBefore: Int64
  /// Nil where nothing was done.
  package var bytesAfter: Int64?
  /// Of pages that nothing is in; pages that are partly empty come to that.
  package var freeBytes: Int64
  /// What the disks must have room for.
  package var needs: [DiskNeed] = []
  /// Files beside the store that belong to no row.
  package var orphanFiles: [String] = []
  /// Files of no row that a program may be about to write one for.
  package var youngFiles: [String] = []
  /// Files of no row that may be those which other values miss.
  package var doubtfulFiles: [String] = []
  package var removedFiles: [String] = []
  /// Those that could not be removed.
  package var filesLeft: [String] = []
}

/// Free bytes that a folder's disk must have before something is begun.
package struct DiskNeed: Hashable, Sendable {
  package var folder: FilePath
  package var bytes: Int64

  package init(folder: FilePath, bytes: Int64) {
    (self.folder, self.bytes) = (folder, bytes)
  }

  /// What is needed beside a file and for temporary files: of one disk where they are on one.
  package static func needs(beside path: FilePath, _ bytes: Int64, temporary: Int64) -> [DiskNeed] {
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

/// A disk has too little room for what is about to be done.
package struct NoSpaceError: DiagnosableError, Hashable {
  package var folder: FilePath
  /// In bytes.
  package var needed: Int64
  package var free: Int64

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "store.no-space",
        "\(ByteCount.text(needed)) are needed in '\(folder)', and \(ByteCount.text(free)) are free",
        cause: .inputOutput,
        help: [
          """
          make room there, or on another disk: temporary files, about half of it, go to the folder that \
          SQLITE_TMPDIR or TMPDIR names
          """
        ])
    ]
  }
}
