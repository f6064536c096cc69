import SQLiteAccess
import StoreCore
package import StoreDiagnostics
package import StoreLayout

/// A connection to a store that others write to, for reading it again whenever they have.
///
/// Whether another connection, of this process or of another, has written, SQLite tells by a counter
/// (https://www.sqlite.org/pragma.html#pragma_data_version). To ask for it takes a statement and locks, to look
/// at the files' times two calls of the system, so while these stay the same it is asked less often.
struct LiveConnection {
  /// How the store is opened.
  enum OpenMode: Hashable, Sendable {
    /// This process has it open for writing, with all files that SQLite keeps beside it.
    case besideWriter
    /// No file is made or changed.
    case withoutTrace
  }

  private let path: FilePath
  private let mode: OpenMode
  private let layout: StoreLayout?
  private(set) var store: Store
  /// The connection sees what others write from now on. One that leaves no trace of a store in WAL
  /// mode that nobody writes to does not, and is opened anew when somebody does.
  private var isLive: Bool
  private var files: FileStamps
  /// What SQLite's counter was before the last reading; nil before the first.
  private var version: Int64?
  /// When the files were seen to be other ones.
  private var touched = ContinuousClock.now - Self.syncTime
  /// When SQLite's counter was asked for.
  private var asked = ContinuousClock.now

  /// A commit is seen some time after its bytes are in the files: they are synced first.
  private static let syncTime = Duration.milliseconds(100)
  /// Times may tell nothing: a sync can take longer, and not every file system keeps them well.
  private static let patience = Duration.milliseconds(50)

  /// - Parameter layout: what is read of the store; nil where nothing is.
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
      // Whatever it was opened as when a writer has come meanwhile: looking again does no harm.
      let isSteady = try DatabaseFile(path).readOnlyOpening == before
      return (store, isSteady && before.seesLaterWrites)
    }
  }

  /// Whether somebody may have written since the last call that returned true.
  ///
  /// - Throws: `DatabaseError`
  mutating func hasChanged() throws -> Bool {
    let files = FileStamps(of: path)
    // Not live, or replaced by another file.
    if isLive ? files.file != self.files.file : files != self.files {
      let (store, isLive) = try Self.open(path, mode)
      // It has only read, so nothing is lost when it fails to close.
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
    // Beside a `-shm` that nobody has open, SQLite counts each reading as a change: there the times say more.
    let counted = version
    version = try store.dataVersion()
    return version == counted || FileStamps(of: path) != files
  }

  /// The next `hasChanged` returns true.
  mutating func forget() {
    version = nil
  }
}

/// When the files of a store were written last, as far as the system says.
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

/// Tells when somebody has written to a store that is only looked at: no file is made or changed.
package struct StoreWatch {
  private var connection: LiveConnection

  /// - Throws: `DatabaseError`
  package init(_ path: FilePath) throws {
    connection = try LiveConnection(path, .withoutTrace, nil)
  }

  /// Whether somebody may have written since the last call that returned true; true at first.
  ///
  /// - Throws: `DatabaseError`
  package mutating func hasChanged() throws -> Bool {
    do {
      return try connection.hasChanged()
    } catch let error as DatabaseError where error.isPassing {
      return false
    }
  }

  /// What the store says of itself now; nil where a writer holds it, or it says nothing.
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
