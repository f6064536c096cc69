import SQLiteAccess
import StoreCore
package import StoreDiagnostics
package import StoreLayout

/// A connection to a store that is read again after other connections or processes have written.
///
/// SQLite counts the changes of other connections (https://www.sqlite.org/pragma.html#pragma_data_version). Reading
/// this counter requires a statement and locks, whereas reading the files' times requires two system calls. While the
/// times don't change, the counter is read less often.
struct LiveConnection {
  /// The mode of opening the store.
  enum OpenMode: Hashable, Sendable {
    /// This process has opened the store for writing, with all files that SQLite uses.
    case besideWriter
    /// Files aren't created or changed.
    case withoutTrace
  }

  private let path: FilePath
  private let mode: OpenMode
  private let layout: StoreLayout?
  private(set) var store: Store
  /// Whether the connection sees later changes. A connection without traces doesn't see them while a store in WAL mode
  /// has no writer, and is opened again after one writes.
  private var isLive: Bool
  private var files: FileStamps
  /// SQLite's counter before the last reading, or nil before the first one.
  private var version: Int64?
  /// The time at which a change of the files was noticed.
  private var touched = ContinuousClock.now - Self.syncTime
  /// The time at which SQLite's counter was read.
  private var asked = ContinuousClock.now

  /// The time after which a commit is visible. Its bytes are written to the files before, because they are synced
  /// first.
  private static let syncTime = Duration.milliseconds(100)
  /// The maximum time between two readings of the counter. A sync can take longer, and the times of some file systems
  /// aren't exact.
  private static let patience = Duration.milliseconds(50)

  /// - Parameter layout: the layout for reading the store, or nil if it isn't read.
  /// - Throws: `DatabaseError`
  init(_ path: FilePath, _ mode: OpenMode, _ layout: StoreLayout?) throws {
    self.path = path
    self.mode = mode
    self.layout = layout
    files = FileStamps(of: path)
    (store, isLive) = try Self.open(path, mode)
    if let layout { store.note([], of: layout) }
  }

  private static func open(_ path: FilePath, _ mode: OpenMode) throws -> (Store, isLive: Bool) {
    switch mode {
    case .besideWriter: return (try Store.openReader(path), true)
    case .withoutTrace:
      let before = try DatabaseFile(path).readOnlyOpening
      let store = try Store.open(path, .reading)
      // If a writer has opened the store in the meantime, reading it once more is harmless.
      let isSteady = try DatabaseFile(path).readOnlyOpening == before
      return (store, isSteady && before.seesLaterWrites)
    }
  }

  /// Returns whether the store can have changed since the last call that returned true.
  ///
  /// - Throws: `DatabaseError`
  mutating func hasChanged() throws -> Bool {
    let files = FileStamps(of: path)
    // The connection isn't live, or the file was replaced.
    if isLive ? files.file != self.files.file : files != self.files {
      let (store, isLive) = try Self.open(path, mode)
      // The connection has only read, so nothing is lost if closing fails.
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
    // Without a process that has the `-shm` open, SQLite counts each reading as a change. The times are then more
    // reliable.
    let counted = version
    version = try store.dataVersion()
    return version == counted || FileStamps(of: path) != files
  }

  /// Makes the next `hasChanged` return true.
  mutating func forget() {
    version = nil
  }
}

/// The times of the last changes to a store's files.
private struct FileStamps: Hashable {
  struct Stamp: Hashable {
    let size: Int64
    let modified: FileStatus.Time

    init(_ status: FileStatus) { (size, modified) = (status.size, status.modified) }
  }

  var file: FileIdentity?
  var stamps: [Stamp?]

  init(of path: FilePath) {
    let main = path.status()
    file = main?.identity
    stamps = [main.map(Stamp.init), ("\(path.followed)-wal" as FilePath).status().map(Stamp.init)]
  }
}

/// Detects changes of a store that is only read, without creating or changing files.
package struct StoreWatch {
  private var connection: LiveConnection

  /// - Throws: `DatabaseError`
  package init(_ path: FilePath) throws {
    connection = try LiveConnection(path, .withoutTrace, nil)
  }

  /// Returns whether the store can have changed since the last call that returned true. The first call returns true.
  ///
  /// - Throws: `DatabaseError`
  package mutating func hasChanged() throws -> Bool {
    do {
      return try connection.hasChanged()
    } catch let error as DatabaseError where error.isPassing {
      return false
    }
  }

  /// Returns the current metadata of the store, or nil if a writer has locked it or it has no metadata.
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
