import CSQLite
package import StoreDiagnostics

/// The reason why a database can't be opened, read, written or created.
package enum DatabaseError: Error, Hashable, Sendable {
  case notFound(path: LocalPath)
  case isFolder(path: LocalPath)
  case noPermission(path: LocalPath)
  case notADatabase(path: LocalPath)
  /// A file with 0 bytes, which SQLite would treat as a database without tables.
  case emptyFile(path: LocalPath)
  /// A file with 0 bytes whose `-wal` or `-journal` isn't empty. SQLite would delete the `-wal` or `-journal`.
  case emptyBesideJournal(path: LocalPath, journal: LocalPath, bytes: Int64)
  /// A Core Data store of a type that isn't SQLite.
  case atomicStore(path: LocalPath, AtomicStoreType)
  case damaged(path: LocalPath, message: String)
  /// A write was interrupted, and its rollback journal must be rolled back, which requires write access.
  case needsRecovery(path: LocalPath)
  case locked(path: LocalPath)
  /// The file was written while it was read without locks.
  case writtenMeanwhile(path: LocalPath)
  case diskFull(path: LocalPath)
  case outOfMemory(path: LocalPath)
  case readOnly(path: LocalPath)
  case inputOutput(path: LocalPath, message: String)
  /// The file to create, or a companion file that SQLite would use for it, already exists.
  case exists(path: LocalPath)
  case folderMissing(path: LocalPath)
  case constraint(path: LocalPath, message: String)
  /// An SQL function of the request can't process the value of a row, or a value is too large for SQLite.
  case unfitValue(path: LocalPath, message: String)
  case cancelled
  /// A statement exceeds one of SQLite's limits.
  case tooComplex(message: String)
  /// SQLite rejects a statement for another reason.
  case sql(path: LocalPath, code: Int32, message: String)
}

extension DatabaseError {
  /// Creates an error from SQLite's extended result code and its message.
  package init(code: Int32, message: String, path: LocalPath) {
    // https://www.sqlite.org/rescode.html: the low byte is the primary code.
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(path: path)
    case SQLITE_NOMEM: self = .outOfMemory(path: path)
    case SQLITE_FULL: self = .diskFull(path: path)
    case SQLITE_NOTADB: self = .notADatabase(path: path)
    case SQLITE_CORRUPT: self = .damaged(path: path, message: message)
    case SQLITE_PERM, SQLITE_AUTH: self = .noPermission(path: path)
    case SQLITE_READONLY where code == Self.readOnlyRollback: self = .needsRecovery(path: path)
    case SQLITE_READONLY where [Self.readOnlyRecovery, Self.readOnlyIndex].contains(code):
      self = .writtenMeanwhile(path: path)
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

  /// SQLITE_READONLY_ROLLBACK, which the header defines by an expression that Swift can't import.
  private static let readOnlyRollback = SQLITE_READONLY | (3 << 8)

  /// SQLITE_READONLY_RECOVERY: another process is about to create the index of the `-wal`.
  private static let readOnlyRecovery = SQLITE_READONLY | (1 << 8)

  /// SQLITE_READONLY_CANTINIT: the `-shm` contains no index, and another process must create it.
  private static let readOnlyIndex = SQLITE_READONLY | (5 << 8)

  /// SQLITE_IOERR_SHMSIZE: there is no space for the `-shm`.
  private static let sharedMemorySize = SQLITE_IOERR | (19 << 8)

  /// SQLITE_IOERR_NOMEM: there is too little memory for accessing a file.
  private static let memoryForFile = SQLITE_IOERR | (12 << 8)

  /// Whether the read can succeed if it is repeated after the other process has finished.
  package var isPassing: Bool {
    switch self {
    case .locked, .writtenMeanwhile: true
    default: false
    }
  }

  /// Whether the failed write may have left a journal that must still be rolled back.
  var leavesJournal: Bool {
    switch self {
    case .diskFull, .inputOutput: true
    default: false
    }
  }

  /// The error to report for a statement that uses only Core Data's tables. Such a statement is valid SQL, so if SQLite
  /// rejects it (`sql`), the store is damaged. Other errors are returned unchanged.
  package var asDamage: DatabaseError {
    guard case .sql(let path, _, let message) = self else { return self }
    return .damaged(path: path, message: message)
  }
}

extension DatabaseError {
  /// The message of `sql`, `damaged` or `constraint` without the path; otherwise nil.
  package var words: String? {
    switch self {
    case .sql(_, _, let message), .damaged(_, let message), .constraint(_, let message):
      message
    default: nil
    }
  }
}

extension DatabaseError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    // It doesn't matter to the user whether SQLite or storetool noticed the cancellation.
    if self == .cancelled { return Cancelled().diagnostics }
    return [DiagnosticMessage(.error, "store.\(code)", message, cause: cause, help: help)]
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

  private var cause: DiagnosticMessage.Cause {
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
    case .notFound(let path): "the file '\(path)' doesn't exist"
    case .isFolder(let path): "'\(path)' is a folder, not a store"
    case .noPermission(let path): "'\(path)' can't be opened: permission denied"
    case .notADatabase(let path): "'\(path)' isn't an SQLite database"
    case .emptyFile(let path): "'\(path)' is empty: it has 0 bytes"
    case .emptyBesideJournal(let path, let journal, let bytes):
      "'\(path)' is empty (0 bytes), while '\(journal)' has \(bytes) bytes"
    case .atomicStore(let path, .xml): "'\(path)' is an XML store of Core Data, not an SQLite store"
    case .atomicStore(let path, .binary):
      "'\(path)' isn't an SQLite store; it contains a property list, as a binary store of Core Data does"
    case .damaged(let path, let message): "'\(path)' is damaged: \(message)"
    case .needsRecovery(let path):
      "a write to '\(path)' was interrupted; its journal has to be rolled back first"
    case .locked(let path): "another process has locked '\(path)'"
    case .writtenMeanwhile(let path): "another process wrote '\(path)' while it was read"
    case .diskFull(let path): "the disk is full; '\(path)' is unchanged"
    case .outOfMemory(let path): "SQLite is out of memory; '\(path)' is unchanged"
    case .readOnly(let path): "'\(path)' can't be written"
    case .inputOutput(let path, let message): "'\(path)': \(message)"
    case .exists(let path): "'\(path)' already exists and won't be overwritten"
    case .folderMissing(let path): "the folder of '\(path)' doesn't exist"
    case .constraint(let path, let message): "'\(path)' rejects the rows: \(message)"
    case .unfitValue(let path, let message): "a row of '\(path)': \(message)"
    case .cancelled: "cancelled; nothing was changed"
    case .tooComplex(let message): "the request exceeds a limit of SQLite: \(message)"
    case .sql(let path, let code, let message):
      "SQLite refuses a statement on '\(path)': \(message) (\(code))"
    }
  }

  private var help: [DiagnosticRemedy] {
    switch self {
    case .notFound(let path): [.store(.create(path: "\(path)"))]
    case .notADatabase:
      [
        "it is another kind of file, it is encrypted, for example with SQLCipher, or most of it is missing"
      ]
    case .emptyFile(let path):
      ["to create a store here, remove the file first", .store(.create(path: "\(path)"))]
    case .emptyBesideJournal(let path, let journal, _):
      [
        "copy both files first, because '\(journal)' can contain rows that aren't stored elsewhere",
        "don't open '\(path)' with SQLite or its app, which would delete '\(journal)'",
        "then replace the empty file with a backup of the store, or search for rows in the copy",
      ]
    case .atomicStore:
      [
        """
        only Core Data can convert it: NSPersistentStoreCoordinator.migratePersistentStore with the \
        type NSSQLiteStoreType
        """
      ]
    case .damaged:
      [
        "restore a backup",
        """
        or copy the file, and try to recover its rows: sqlite3 COPY .recover | sqlite3 NEW.sqlite (requires an sqlite3 \
        that supports .recover)
        """,
      ]
    case .needsRecovery(let path):
      [
        """
        'sqlite3 \(path) "PRAGMA quick_check"' rolls it back, and so does opening the store in its app
        """
      ]
    case .locked: ["try again when it has finished"]
    case .writtenMeanwhile:
      ["run the command again; the printed rows can be from before and after the write"]
    case .diskFull:
      [
        """
        free space on the disk of the store or of temporary files: /var/tmp or /tmp, unless \
        SQLITE_TMPDIR or TMPDIR names another folder
        """
      ]
    case .outOfMemory: ["quit other programs, or raise the memory limit of this process"]
    case .noPermission: Self.privacyHelp
    case .readOnly:
      [
        "writing requires write permission for the file, and for its folder, which contains the journal"
      ]
    case .tooComplex(let message): [.text(SQLiteLimit.help(message))]
    case .exists(let path) where DatabaseFile.companions.contains(where: path.hasSuffix):
      ["SQLite would treat it as a part of the new file: move it, or choose another name"]
    case .isFolder, .inputOutput, .exists, .folderMissing,
      .constraint, .unfitValue, .cancelled, .sql:
      []
    }
  }

  /// On macOS, the terminal needs permission to access other apps' files, even if the files' modes allow access.
  private static var privacyHelp: [DiagnosticRemedy] {
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
