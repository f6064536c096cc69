import CSQLite

/// Why a store can't be opened, read, written or made.
package enum StoreError: Error, Hashable, Sendable {
  case notFound(path: String)
  case isFolder(path: String)
  case noPermission(path: String)
  case notADatabase(path: String)
  /// A database, but without `Z_METADATA`.
  case notAStore(path: String)
  case damaged(path: String, message: String)
  /// The rollback journal of an interrupted write lies beside the store.
  case needsRecovery(path: String)
  case locked(path: String)
  case diskFull(path: String)
  case readOnly(path: String)
  case inputOutput(path: String, message: String)
  /// `create` never overwrites.
  case exists(path: String)
  case folderMissing(path: String)
  /// A copy that was made of a store, and is removed again.
  case copyDiffers(path: String, CopyDifference)
  /// Writing would have to record history, too, but a table for it lacks the column.
  case unknownHistory(path: String, table: String, column: String)
  case noHistory(path: String)
  /// A trigger that Core Data did not make.
  case foreignTrigger(path: String, name: String, table: String)
  /// A trigger of Core Data that calls a function which we don't know.
  case triggerFunction(path: String, name: String, function: String)
  /// The file lacks something that the model needs.
  case incomplete(path: String, lacks: [SchemaGap])
  /// A view or a virtual table of an app's own that SQLite can't use, and that stands in a statement's way.
  case unreadableTable(path: String, name: String, message: String)
  case unknownVersion(path: String, VersionGap)
  /// The files of values are, or lie behind, a symbolic link.
  case linkedValues(path: String)
  case constraint(path: String, message: String)
  /// A row holds a value that a function of the request can't take.
  case unfitValue(path: String, message: String)
  case cancelled
  /// A request as deep or as long as no statement may be.
  case tooComplex(message: String)
  /// A statement of ours that SQLite refuses.
  case sql(path: String, code: Int32, message: String)
}

extension StoreError {
  /// From SQLite's (extended) result code and the message that came with it.
  init(code: Int32, message: String, path: String) {
    // https://www.sqlite.org/rescode.html: the low byte is the primary code.
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(path: path)
    case SQLITE_FULL: self = .diskFull(path: path)
    case SQLITE_NOTADB: self = .notADatabase(path: path)
    case SQLITE_CORRUPT: self = .damaged(path: path, message: message)
    case SQLITE_PERM, SQLITE_AUTH: self = .noPermission(path: path)
    case SQLITE_READONLY where code == Self.readOnlyRollback: self = .needsRecovery(path: path)
    case SQLITE_READONLY: self = .readOnly(path: path)
    case SQLITE_IOERR where code == Self.sharedMemorySize: self = .diskFull(path: path)
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_NOLFS:
      self = .inputOutput(path: path, message: message)
    case SQLITE_CONSTRAINT: self = .constraint(path: path, message: message)
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

  /// How SQLite's messages about its limits begin: https://www.sqlite.org/limits.html. They share one
  /// code with all mistakes of a statement.
  private static let limits = [
    "parser stack overflow", "Expression tree is too large", "at most 64 tables in a join",
    "variable number must be between", "too many SQL variables", "too many FROM clause terms",
    "too many columns in", "too many arguments on function",
  ]

  /// Whether a write that ended so may not have been rolled back in the file yet.
  var leavesJournal: Bool {
    switch self {
    case .diskFull, .inputOutput: true
    default: false
    }
  }

  /// For statements over Core Data's own tables: they are right, so a store that SQLite can't run
  /// them on is not.
  package var asDamage: StoreError {
    guard case .sql(let path, _, let message) = self else { return self }
    return .damaged(path: path, message: message)
  }
}
