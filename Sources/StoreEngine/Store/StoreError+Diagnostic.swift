package import StoreDiagnostics

extension StoreError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    // Whether SQLite noticed the wish or we did is not for the user to care about.
    if self == .cancelled { return Cancelled().diagnostics }
    return [Diagnostic(.error, "store.\(code)", message, cause: cause, help: help)]
  }

  private var code: String {
    switch self {
    case .notFound: "not-found"
    case .isFolder, .notAStore: "not-a-store"
    case .noPermission: "no-permission"
    case .notADatabase: "not-a-database"
    case .damaged: "damaged"
    case .needsRecovery: "needs-recovery"
    case .locked: "locked"
    case .diskFull: "disk-full"
    case .readOnly: "read-only"
    case .inputOutput: "io"
    case .exists: "exists"
    case .folderMissing: "no-folder"
    case .copyDiffers: "copy-differs"
    case .unknownHistory: "unknown-history"
    case .noHistory: "no-history"
    case .foreignTrigger: "foreign-trigger"
    case .triggerFunction: "trigger-function"
    case .incomplete: "incomplete"
    case .unreadableTable: "unreadable-table"
    case .unknownVersion: "unknown-version"
    case .linkedValues: "linked-values"
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
    case .noPermission, .diskFull, .readOnly, .inputOutput, .copyDiffers: .inputOutput
    case .locked: .busy
    case .exists, .folderMissing: .cannotCreate
    case .unknownVersion: .unknownVersion
    case .cancelled: .cancelled
    case .sql: .bug
    case .isFolder, .notAStore, .notADatabase, .damaged, .needsRecovery, .unknownHistory,
      .foreignTrigger, .triggerFunction, .constraint, .unfitValue,
      .tooComplex, .noHistory, .linkedValues, .incomplete, .unreadableTable:
      .invalid
    }
  }

  private var message: String {
    switch self {
    case .notFound(let path): "there is no file '\(path)'"
    case .isFolder(let path): "'\(path)' is a folder, not a store"
    case .noPermission(let path): "there is no permission for '\(path)'"
    case .notADatabase(let path): "'\(path)' is not a SQLite database"
    case .notAStore(let path):
      "'\(path)' is a SQLite database, but no Core Data store: it has no table Z_METADATA"
    case .damaged(let path, let message): "'\(path)' is damaged: \(message)"
    case .needsRecovery(let path):
      "a write to '\(path)' was interrupted; its journal has to be rolled back first"
    case .locked(let path): "another process holds '\(path)'"
    case .diskFull(let path): "the disk is full; '\(path)' is as it was"
    case .readOnly(let path): "'\(path)' can't be written"
    case .inputOutput(let path, let message): "'\(path)': \(message)"
    case .exists(let path): "'\(path)' exists already and is not overwritten"
    case .folderMissing(let path): "the folder of '\(path)' does not exist"
    case .copyDiffers(let path, let difference):
      "the copy '\(path)' does not read as the store does: \(difference.sentence)"
    case .unknownHistory(let path, let table, let column):
      "'\(path)' keeps its persistent history in a form that storetool does not know: \(table) has"
        + " no column \(column)"
    case .noHistory(let path): "'\(path)' keeps no persistent history"
    case .foreignTrigger(let path, let name, let table):
      "'\(path)' has a trigger on \(table) that is none of Core Data's: \(name)"
    case .triggerFunction(let path, let name, let function):
      "the trigger \(name) of '\(path)' calls \(function), a function that storetool does not know"
    case .incomplete(let path, let gaps):
      "'\(path)' lacks what it needs: \(gaps.listed)"
    case .unreadableTable(let path, let name, let message):
      "'\(path)' has a table or view \(name) that SQLite can't use: \(message)"
    case .unknownVersion(let path, _): "'\(path)' belongs to no known version of the model"
    case .linkedValues(let path):
      "'\(path)' is a symbolic link and is not followed; a copy of the store would lack the values behind it"
    case .constraint(let path, let message): "'\(path)' does not take the rows: \(message)"
    case .unfitValue(let path, let message): "a row of '\(path)': \(message)"
    case .cancelled: "cancelled; nothing was changed"
    case .tooComplex(let message): "the request is more than SQLite takes at once: \(message)"
    case .sql(let path, let code, let message):
      "SQLite refuses a statement on '\(path)': \(message) (\(code))"
    }
  }

  private var help: [String] {
    switch self {
    case .notFound(let path): ["'storetool create \(path)' makes an empty store"]
    case .damaged(let path, _):
      ["work on a copy; 'sqlite3 \(path) .recover' saves what can be read"]
    case .needsRecovery(let path):
      ["'sqlite3 \(path) \"PRAGMA quick_check\"' rolls it back, and so does its app"]
    case .locked: ["try again when it has finished"]
    case .diskFull:
      [
        "make room on the disk of the store, or on that of temporary files: /var/tmp or /tmp, unless"
          + " SQLITE_TMPDIR or TMPDIR names another folder"
      ]
    case .readOnly:
      ["writing needs the right to write the file, and its folder for the journal beside it"]
    case .tooComplex:
      ["make it flatter or shorter: conditions inside each other, steps of paths, values"]
    case .unknownHistory:
      ["every change would have to be recorded there, or synchronisation would miss it"]
    case .noHistory: ["an app that tracks it makes the tables ATRANSACTION and ACHANGE"]
    case .foreignTrigger:
      ["no one knows what it would do to the rows; drop it if it does not belong there"]
    case .triggerFunction:
      ["without it a derived attribute would be left wrong; write to this store with its app"]
    case .linkedValues:
      ["put the folder or the file itself there; 'migrate --no-backup' makes no copy"]
    case .incomplete(_, let gaps):
      gaps.contains(where: \.isRepairable)
        ? ["'storetool verify --repair' makes what can be made; 'storetool verify' names the rest"]
        : ["what was in it is lost here; look for it in a backup of the store"]
    case .unreadableTable:
      ["drop it, if it is nothing that the app needs, or make whole what it is made of"]
    case .unknownVersion(_, let gap):
      [gap.advice]
        + (gap.closest.map { ["the closest is \($0); it differs in:"] } ?? [])
        + gap.differences.map(gap.sentence)
    case .exists(let path) where StoreFile.companions.contains(where: path.hasSuffix):
      ["SQLite would take it for a part of the new file: move it away, or choose another name"]
    case .copyDiffers:
      [
        "it was removed, and the store is as it was; keep other programs away from that folder, or"
          + " choose another"
      ]
    case .isFolder, .noPermission, .notADatabase, .notAStore, .inputOutput,
      .exists, .folderMissing, .constraint, .unfitValue, .cancelled, .sql:
      []
    }
  }
}

extension CopyDifference {
  fileprivate var sentence: String {
    switch self {
    case .metadata: "its metadata is another"
    case .rows(let table, let store?, let copy?):
      "\(table) has \(copy) rows there, and \(store) in the store"
    case .rows(let table, _, nil): "it has no table \(table)"
    case .rows(let table, nil, _): "the store has no table \(table)"
    }
  }
}

extension [SchemaGap] {
  private static let listLimit = 4

  /// `the table Z_2TOPICS, the column ZNAME of ZITEM and 3 more`
  fileprivate var listed: String {
    let names = prefix(Self.listLimit).map(\.name).joined(separator: ", ")
    return count > Self.listLimit ? "\(names) and \(count - Self.listLimit) more" : names
  }
}
