import CSQLite

/// The writes to a store that must not be done, whoever asks for them: SQLite tells each statement's tables and columns
/// when it compiles it, the triggers that it fires included, so none has to be known here.
final class WriteGuard {
  struct Rule {
    var table: String
    var event: WriteEvent
    var error: StoreError
  }

  private let rules: [Rule]
  /// Why a statement was not compiled.
  private(set) var refusal: StoreError?

  init(_ rules: [Rule]) {
    self.rules = rules
  }

  /// Refuses the writes of `body`.
  ///
  /// - Throws: the error of a rule, for the first statement that breaks it; what `body` throws.
  func guarding<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
    guard !rules.isEmpty else { return try body() }
    sqlite3_set_authorizer(
      connection.handle,
      { context, action, first, second, database, _ in
        guard let context, let first, let database, String(cString: database) == "main" else {
          return SQLITE_OK
        }
        return Unmanaged<WriteGuard>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.allows(action, String(cString: first), second.map { String(cString: $0) })
            ? SQLITE_OK : SQLITE_DENY
        }
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
    do {
      return try withExtendedLifetime(self) { try body() }
    } catch StoreError.noPermission {
      throw refusal ?? StoreError.noPermission(path: connection.path)
    }
  }

  private func allows(_ action: CInt, _ table: String, _ column: String?) -> Bool {
    let broken = rules.first { rule in
      guard rule.table.uppercased() == table.uppercased() else { return false }
      switch rule.event {
      case .insert: return action == SQLITE_INSERT
      case .update(let columns):
        return action == SQLITE_UPDATE && (columns.isEmpty || columns.contains { $0 == column })
      case .delete: return action == SQLITE_DELETE
      }
    }
    if refusal == nil { refusal = broken?.error }
    return broken == nil
  }
}

extension Connection {
  /// - Parameter gaps: what the store's model needs and the file lacks.
  func writeGuard(for gaps: [SchemaGap]) throws(StoreError) -> WriteGuard {
    let spoiled = gaps.flatMap { gap -> [WriteGuard.Rule] in
      guard let (table, events) = gap.spoiledWrites else { return [] }
      return events.map {
        .init(table: table, event: $0, error: .incomplete(path: path, lacks: [gap]))
      }
    }
    let foreign = try foreignTriggers().flatMap { trigger in
      [.insert, .update([]), .delete].map {
        WriteGuard.Rule(
          table: trigger.table, event: $0,
          error: .foreignTrigger(path: path, name: trigger.name, table: trigger.table))
      }
    }
    return WriteGuard(foreign + spoiled)
  }
}
