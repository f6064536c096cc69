import SQLiteAccess
import StoreCore
package import StoreDiagnostics
package import StoreLayout

/// A connection that reads a store again after others have written to it.
///
/// SQLite increments a counter when another connection, in this process or another, commits
/// (https://www.sqlite.org/pragma.html#pragma_data_version). Reading this counter takes a statement and locks, and
/// reading the files' times takes two system calls. Therefore the counter is read less often while the times don't
/// change.
struct LiveConnection {
  /// How the store is opened.
  enum OpenMode: Hashable, Sendable {
    /// This process has opened the store for writing, so SQLite's additional files may be used.
    case besideWriter
    /// Files are neither created nor changed.
    case withoutTrace
  }

  private let path: LocalPath
  private let mode: OpenMode
  private let layout: StoreLayout?
  private(set) var store: Store
  /// Whether the connection sees later writes. A connection that doesn't create files doesn't see them if the store is
  /// in WAL mode and isn't open for writing. Such a connection is opened again after a write.
  private(set) var isLive: Bool
  private var files: FileStamps
  /// SQLite's counter at the last read; nil before the first one.
  private var version: Int64?
  /// The time of the last check that found changed files.
  private var touched = ContinuousClock.now - Self.syncTime
  /// The last time that SQLite's counter was read.
  private var asked = ContinuousClock.now

  /// The time after a change of the files in which each check reads the counter. A commit becomes visible some time
  /// after its bytes are in the files, because they are synced first.
  private static let syncTime = Duration.milliseconds(100)
  /// The time after which the counter is read even if the files don't change. A sync can take longer than `syncTime`,
  /// and not every file system keeps exact times.
  private static let patience = Duration.milliseconds(50)

  /// - Parameter layout: the layout of the rows to read, or nil if no rows are read.
  /// - Throws: `DatabaseError`
  init(_ path: LocalPath, _ mode: OpenMode, _ layout: StoreLayout?) throws {
    self.path = path
    self.mode = mode
    self.layout = layout
    files = FileStamps(of: path)
    (store, isLive) = try Self.open(path, mode)
    if let layout { store.note([], of: layout) }
  }

  private static func open(_ path: LocalPath, _ mode: OpenMode) throws -> (Store, isLive: Bool) {
    switch mode {
    case .besideWriter: return (try Store.openReader(path), true)
    case .withoutTrace:
      let before = try DatabaseFile(path).readOnlyOpening
      let store = try Store.open(path, .reading)
      // If a writer has opened the store in the meantime, the connection isn't treated as live. It is then opened again
      // after the next write, which is harmless.
      let isSteady = try DatabaseFile(path).readOnlyOpening == before
      return (store, isSteady && before.seesLaterWrites)
    }
  }

  /// Returns whether others may have written since the last call that returned true.
  ///
  /// - Throws: `DatabaseError`
  mutating func hasChanged() throws -> Bool {
    let files = FileStamps(of: path)
    // Open the store again if the file was replaced, or if a file has changed and the connection isn't live.
    if isLive ? files.file != self.files.file : files != self.files {
      let (store, isLive) = try Self.open(path, mode)
      try self.store.close()
      (self.store, self.isLive, self.files, version) = (store, isLive, files, nil)
      if let layout { store.note([], of: layout) }
    }
    guard isLive else {
      defer { version = 0 }
      return version == nil
    }
    let now = ContinuousClock.now
    if files != self.files { (self.files, touched) = (files, now) }
    guard version == nil || now - touched < Self.syncTime || now - asked >= Self.patience else {
      return false
    }
    asked = now
    let before = version
    version = try store.dataVersion()
    guard before != nil, version != before, now - touched >= Self.syncTime else {
      return version != before
    }
    // If no process has the `-shm` file open, the counter changes whenever it is read. Then only changed times of the
    // files indicate a write.
    let counted = version
    version = try store.dataVersion()
    return version == counted || FileStamps(of: path) != files
  }

  /// Makes the next `hasChanged` return true.
  mutating func forget() {
    version = nil
  }
}

/// The times and sizes of a store's files, which indicate writes.
private struct FileStamps: Hashable {
  struct Stamp: Hashable {
    let size: Int64
    let modified: FileStatus.Time

    init(_ status: FileStatus) { (size, modified) = (status.size, status.modified) }
  }

  var file: FileIdentity?
  var stamps: [Stamp?]

  init(of path: LocalPath) {
    let main = path.status()
    file = main?.identity
    stamps = [main.map(Stamp.init), ("\(path.followed)-wal" as LocalPath).status().map(Stamp.init)]
  }
}

/// Detects writes to a store without creating or changing files.
package struct StoreWatch {
  private var connection: LiveConnection

  /// - Throws: `DatabaseError`
  package init(_ path: LocalPath) throws {
    connection = try LiveConnection(path, .withoutTrace, nil)
  }

  /// Returns whether others may have written since the last call that returned true. The first call returns true,
  /// unless the store is locked.
  ///
  /// - Throws: `DatabaseError`
  package mutating func hasChanged() throws -> Bool {
    do {
      return try connection.hasChanged()
    } catch let error as DatabaseError where error.isPassing {
      return false
    }
  }

  /// Returns the current metadata, or nil if the store is locked or has none.
  ///
  /// - Throws: `DatabaseError`
  package func metadata() throws -> StoreMetadata? {
    do {
      return try connection.store.readOnce { try $0.metadata() }
    } catch let error as DatabaseError where error.isPassing {
      return nil
    }
  }
}
