package import StoreDiagnostics

extension StoreError: DiagnosableError {
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .notFound(let path):
      Diagnostic(.error, "store.not-found", "there is no file '\(path)'", cause: .notFound)
        .helping("'storetool create \(path)' makes an empty store")
    case .isFolder(let path):
      Diagnostic(.error, "store.not-a-store", "'\(path)' is a folder, not a store")
    case .noPermission(let path):
      Diagnostic(
        .error, "store.no-permission", "there is no permission for '\(path)'", cause: .inputOutput)
    case .notADatabase(let path):
      Diagnostic(.error, "store.not-a-database", "'\(path)' is not a SQLite database")
    case .notAStore(let path):
      Diagnostic(
        .error, "store.not-a-store",
        "'\(path)' is a SQLite database, but no Core Data store: it has no table Z_METADATA")
    case .damaged(let path, let message):
      Diagnostic(.error, "store.damaged", "'\(path)' is damaged: \(message)")
        .helping("work on a copy; 'sqlite3 \(path) .recover' saves what can be read")
    case .needsRecovery(let path):
      Diagnostic(
        .error, "store.needs-recovery",
        "a write to '\(path)' was interrupted; its journal has to be rolled back first"
      )
      .helping("'sqlite3 \(path) \"PRAGMA quick_check\"' rolls it back, and so does its app")
    case .locked, .diskFull, .readOnly, .inputOutput, .sql, .cancelled, .constraint:
      operationDiagnostic
    case .exists(let path):
      Diagnostic(
        .error, "store.exists", "'\(path)' exists already and is not overwritten",
        cause: .cannotCreate)
    case .folderMissing(let path):
      Diagnostic(
        .error, "store.no-folder", "the folder of '\(path)' does not exist", cause: .cannotCreate)
    case .hasHistory, .hasTriggers:
      refusalDiagnostic
    case .unknownVersion(let path, let closest, let differences):
      versionDiagnostic(path, closest, differences)
    }
  }

  private var operationDiagnostic: Diagnostic {
    switch self {
    case .locked(let path):
      Diagnostic(
        .error, "store.locked", "another process holds '\(path)'", cause: .busy
      ).helping("try again when it has finished")
    case .diskFull(let path):
      Diagnostic(
        .error, "store.disk-full", "the disk is full; '\(path)' is as it was", cause: .inputOutput)
    case .readOnly(let path):
      Diagnostic(.error, "store.read-only", "'\(path)' can't be written", cause: .inputOutput)
    case .inputOutput(let path, let message):
      Diagnostic(.error, "store.io", "'\(path)': \(message)", cause: .inputOutput)
    case .constraint(let path, let message):
      Diagnostic(.error, "store.constraint", "'\(path)' does not take the rows: \(message)")
    case .cancelled:
      Diagnostic(.error, "store.cancelled", "cancelled; nothing was changed", cause: .cancelled)
    case .sql(let path, let code, let message):
      Diagnostic(
        .error, "store.sql", "SQLite refuses a statement on '\(path)': \(message) (\(code))",
        cause: .bug)
    default: preconditionFailure("not an operation's error")
    }
  }

  private var refusalDiagnostic: Diagnostic {
    switch self {
    case .hasHistory(let path, let transactions):
      Diagnostic(
        .error, "store.has-history",
        "'\(path)' keeps a persistent history (\(transactions) transactions); this version of"
          + " storetool does not write to such a store"
      )
      .helping("every change would have to be recorded there, or synchronisation would miss it")
    case .hasTriggers(let path, let names):
      Diagnostic(
        .error, "store.has-triggers",
        "'\(path)' has triggers (\(names.prefix(3).joined(separator: ", "))\(names.count > 3 ? ", …" : ""));"
          + " this version of storetool does not write to such a store"
      )
      .helping("they keep derived attributes up to date and call functions of Core Data")
    default: preconditionFailure("not a refusal")
    }
  }

  private func versionDiagnostic(
    _ path: String, _ closest: String?, _ differences: [EntityDifference]
  ) -> Diagnostic {
    let base = Diagnostic(
      .error, "store.unknown-version", "'\(path)' belongs to no known version of the model",
      cause: .unknownVersion)
    guard let closest else { return base.helping("no model was found; name one with --model") }
    return differences.map(\.sentence).reduce(
      base.helping("the closest is '\(closest)'; it differs in:")
    ) { $0.helping($1) }
  }
}
