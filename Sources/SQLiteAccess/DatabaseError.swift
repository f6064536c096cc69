import CSQLite
package import StoreDiagnostics

/// Why a database can't be opened, read, written or made.
package enum DatabaseError: Error, Hashable, Sendable {
  case notFound(path: FilePath)
  case isFolder(path: FilePath)
  case noPermission(path: FilePath)
  case notADatabase(path: FilePath)
  /// Of 0 bytes: SQLite would take it for a database without tables.
  case emptyFile(path: FilePath)
  /// A file of 0 bytes, while its `-wal` or its `-journal` has some. SQLite would delete that file.
  case emptyBesideJournal(path: FilePath, journal: FilePath, bytes: Int64)
  /// A Core Data store of a type that isn't SQLite.
  case atomicStore(path: FilePath, AtomicStoreType)
  case damaged(path: FilePath, message: String)
  /// The rollback journal of an interrupted write lies beside the store.
  case needsRecovery(path: FilePath)
  case locked(path: FilePath)
  /// The file was written while it was read without locks.
  case writtenMeanwhile(path: FilePath)
  case diskFull(path: FilePath)
  case outOfMemory(path: FilePath)
  case readOnly(path: FilePath)
  case inputOutput(path: FilePath, message: String)
  /// `create` never overwrites.
  case exists(path: FilePath)
  case folderMissing(path: FilePath)
  case constraint(path: FilePath, message: String)
  /// A row holds a value that a function of the request can't take.
  case unfitValue(path: FilePath, message: String)
  case cancelled
  /// A statement exceeds one of SQLite's limits.
  case tooComplex(message: String)
  /// A statement of ours that SQLite refuses.
  case sql(path: FilePath, code: Int32, message: String)
}

extension DatabaseError {
  /// From SQLite's (extended) result code and the message that came with it.
  package init(code: Int32, message: String, path: FilePath) {
    // https://www.sqlite.org/rescode.html: the low byte is the primary code.
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(path: path)
    case SQLITE_NOMEM: self = .outOfMemory(path: path)
    case SQLITE_FULL: self = .diskFull(path: path)
    case SQLITE_NOTADB: self = .notADatabase(path: path)
    case SQLITE_CORRUPT: self = .damaged(path: path, message: message)
    case SQLITE_PERM, SQLITE_AUTH: self = .noPermission(path: path)
    case SQLITE_READONLY where code == Self.readOnlyRollback: self = .needsRecovery(path: path)
    case SQLITE_READONLY: self = .readOnly(path: path)
    case SQLITE_IOERR where code == Self.sharedMemorySize: self = .diskFull(path: path)
    case SQLITE_IOERR where code == Self.memoryForFile: self = .outOfMemory(path: path)
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_NOLFS:
      self = .inputOutput(path: path, message: message)
    case SQLITE_CONSTRAINT: self = .constraint(path: path, message: message)
    case SQLITE_TOOBIG where SQLiteLimit.isReached(message):
      self = .tooComplex(message: message)
    case SQLITE_MISMATCH, SQLITE_TOOBIG: self = .unfitValue(path: path, message: message)
    case SQLITE_INTERRUPT: self = .cancelled
    case SQLITE_ERROR where SQLiteLimit.isReached(message):
      self = .tooComplex(message: message)
    default: self = .sql(path: path, code: code, message: message)
    }
  }

  /// SQLITE_READONLY_ROLLBACK; the header defines it by an expression that Swift does not import.
  private static let readOnlyRollback = SQLITE_READONLY | (3 << 8)

  /// SQLITE_IOERR_SHMSIZE: there is no room for the `-shm`.
  private static let sharedMemorySize = SQLITE_IOERR | (19 << 8)

  /// SQLITE_IOERR_NOMEM: there is no memory for what a file's access needs.
  private static let memoryForFile = SQLITE_IOERR | (12 << 8)

  /// Whether the same reading may succeed when another process has finished.
  package var isPassing: Bool {
    switch self {
    case .locked, .writtenMeanwhile: true
    default: false
    }
  }

  /// Whether a write that ended so may not have been rolled back in the file yet.
  var leavesJournal: Bool {
    switch self {
    case .diskFull, .inputOutput: true
    default: false
    }
  }

  /// For statements over Core Data's own tables: they are right, so a store that SQLite can't run
  /// them on is not.
  package var asDamage: DatabaseError {
    guard case .sql(let path, _, let message) = self else { return self }
    return .damaged(path: path, message: message)
  }
}

extension DatabaseError {
  /// SQLite's own, where it is the file that it speaks of.
  package var words: String? {
    switch self {
    case .sql(_, _, let message), .damaged(_, let message), .constraint(_, let message):
      message
    default: nil
    }
  }
}

extension DatabaseError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    // Whether SQLite noticed the wish or we did is not for the user to care about.
    if self == .cancelled { return Cancelled().diagnostics }
    return [Diagnostic(.error, "store.\(code)", message, cause: cause, help: help)]
  }

  private var code: String {
    switch self {
    case .notFound: "not-found"
    case .isFolder: "not-a-store"
    case .noPermission: "no-permission"
    case .notADatabase, .emptyFile: "not-a-database"
    case .emptyBesideJournal: "empty-beside-journal"
    case .atomicStore: "atomic-store"
    case .damaged: "damaged"
    case .needsRecovery: "needs-recovery"
    case .locked: "locked"
    case .writtenMeanwhile: "written-meanwhile"
    case .diskFull: "disk-full"
    case .outOfMemory: "out-of-memory"
    case .readOnly: "read-only"
    case .inputOutput: "io"
    case .exists: "exists"
    case .folderMissing: "no-folder"
    case .constraint: "constraint"
    case .unfitValue: "unfit-value"
    case .cancelled: "cancelled"
    case .tooComplex: "too-complex"
    case .sql: "sql"
    }
  }

  private var cause: Diagnostic.Cause {
    switch self {
    case .notFound: .notFound
    case .noPermission, .diskFull, .outOfMemory, .readOnly, .inputOutput: .inputOutput
    case .locked, .writtenMeanwhile: .busy
    case .exists, .folderMissing: .cannotCreate
    case .cancelled: .cancelled
    case .sql: .bug
    case .isFolder, .notADatabase, .emptyFile, .emptyBesideJournal, .atomicStore, .damaged,
      .needsRecovery, .constraint, .unfitValue,
      .tooComplex:
      .invalid
    }
  }

  private var message: String {
    switch self {
    case .notFound(let path): "there is no file '\(path)'"
    case .isFolder(let path): "'\(path)' is a folder, not a store"
    case .noPermission(let path): "there is no permission for '\(path)'"
    case .notADatabase(let path): "'\(path)' is not an SQLite database"
    case .emptyFile(let path): "'\(path)' is empty: it has 0 bytes"
    case .emptyBesideJournal(let path, let journal, let bytes):
      "'\(path)' is empty (0 bytes), while '\(journal)' has \(bytes) bytes"
    case .atomicStore(let path, .xml): "'\(path)' is an XML store of Core Data, not an SQLite store"
    case .atomicStore(let path, .binary):
      "'\(path)' isn't an SQLite store; it contains a property list, as a binary store of Core Data does"
    case .damaged(let path, let message): "'\(path)' is damaged: \(message)"
    case .needsRecovery(let path):
      "a write to '\(path)' was interrupted; its journal has to be rolled back first"
    case .locked(let path): "another process holds '\(path)'"
    case .writtenMeanwhile(let path): "another process wrote '\(path)' while it was read"
    case .diskFull(let path): "the disk is full; '\(path)' is as it was"
    case .outOfMemory(let path): "there is too little memory for SQLite; '\(path)' is as it was"
    case .readOnly(let path): "'\(path)' can't be written"
    case .inputOutput(let path, let message): "'\(path)': \(message)"
    case .exists(let path): "'\(path)' exists already and is not overwritten"
    case .folderMissing(let path): "the folder of '\(path)' does not exist"
    case .constraint(let path, let message): "'\(path)' does not take the rows: \(message)"
    case .unfitValue(let path, let message): "a row of '\(path)': \(message)"
    case .cancelled: "cancelled; nothing was changed"
    case .tooComplex(let message): "the request exceeds a limit of SQLite: \(message)"
    case .sql(let path, let code, let message):
      "SQLite refuses a statement on '\(path)': \(message) (\(code))"
    }
  }

  private var help: [Remedy] {
    switch self {
    case .notFound(let path): [.store(.create(path: "\(path)"))]
    case .notADatabase: ["it is another kind of file, or encrypted, as by SQLCipher"]
    case .emptyFile(let path): ["remove it, then make a store"] + [.store(.create(path: "\(path)"))]
    case .emptyBesideJournal(let path, let journal, _):
      [
        "keep '\(journal)', because it may have rows that are nowhere else; copy both files first",
        "don't open '\(path)' with SQLite or its app, which would delete '\(journal)'",
        "then put a backup of the store in place of the empty file, or look for rows in the copy",
      ]
    case .atomicStore:
      [
        """
        only Core Data can convert it: NSPersistentStoreCoordinator.migratePersistentStore with the \
        type NSSQLiteStoreType
        """
      ]
    case .damaged(let path, _):
      ["work on a copy; 'sqlite3 \(path) .recover' saves what can be read"]
    case .needsRecovery(let path):
      ["'sqlite3 \(path) \"PRAGMA quick_check\"' rolls it back, and so does its app"]
    case .locked: ["try again when it has finished"]
    case .writtenMeanwhile: ["run the command again; rows that it has printed may be of two states"]
    case .diskFull:
      [
        """
        make room on the disk of the store, or on that of temporary files: /var/tmp or /tmp, unless \
        SQLITE_TMPDIR or TMPDIR names another folder
        """
      ]
    case .outOfMemory: ["end other programs, or raise the limit of memory that this process has"]
    case .noPermission: Self.privacyHelp
    case .readOnly:
      ["writing needs the right to write the file, and its folder for the journal beside it"]
    case .tooComplex(let message): [.text(SQLiteLimit.help(message))]
    case .exists(let path) where DatabaseFile.companions.contains(where: path.hasSuffix):
      ["SQLite would take it for a part of the new file: move it away, or choose another name"]
    case .isFolder, .inputOutput, .exists, .folderMissing,
      .constraint, .unfitValue, .cancelled, .sql:
      []
    }
  }

  /// macOS keeps a program from the files of other apps, whatever the permissions are.
  private static var privacyHelp: [Remedy] {
    #if os(macOS)
      [
        """
        for a folder of another app allow the terminal Full Disk Access: System Settings, Privacy & Security
        """
      ]
    #else
      []
    #endif
  }
}
