package import StoreDiagnostics

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
    case .tooComplex(let message): Self.help(forLimit: message)
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

  private static func help(forLimit message: String) -> [Remedy] {
    if message.hasPrefix("too many terms in") {
      return ["sort or group by fewer values, at most 2,000"]
    }
    if message.hasPrefix("too many columns") {
      return [
        "a table, a result and an index have at most 2,000 columns each: use fewer properties"
      ]
    }
    if message.hasPrefix("LIKE") {
      return ["a pattern has at most 50,000 bytes: shorten it, or use CONTAINS or BEGINSWITH"]
    }
    return ["make it flatter or shorter: conditions inside each other, steps of paths, values"]
  }
}
