package import StoreDiagnostics
import CSQLite

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
    case SQLITE_TOOBIG where Self.limits.contains(where: message.hasPrefix):
      self = .tooComplex(message: message)
    case SQLITE_MISMATCH, SQLITE_TOOBIG: self = .unfitValue(path: path, message: message)
    case SQLITE_INTERRUPT: self = .cancelled
    case SQLITE_ERROR where Self.limits.contains(where: message.hasPrefix):
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

  /// The beginnings of SQLite's messages about its limits: https://www.sqlite.org/limits.html. These
  /// errors have the same code as all other errors of a statement.
  private static let limits = [
    // Terms, columns, variables, arguments, FROM clauses, references, attached databases, levels of triggers.
    "too many ",
    // 64 tables.
    "at most ", "parser stack overflow", "Expression tree is too large",
    "variable number must be between", "LIKE or GLOB pattern too complex", "statement too long",
  ]

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
