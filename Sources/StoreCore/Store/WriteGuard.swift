import SQLiteAccess
import StoreLayout

/// Rejects writes to a store that would have wrong results. When SQLite compiles a statement, it reports all tables and
/// columns that the statement and its triggers write, so the rules apply to any statement.
final class WriteGuard {
  struct Rule {
    var table: String
    var event: WriteEvent
    var error: StoreLayoutError
  }

  private let rules: [Rule]
  /// The reason why a statement was rejected.
  private(set) var refusal: StoreLayoutError?

  init(_ rules: [Rule]) {
    self.rules = rules
  }

  /// Runs `body`, and rejects statements that violate a rule.
  ///
  /// - Throws: the error of a rule for the first statement that violates it; an error of `body`.
  func guarding<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
    guard !rules.isEmpty else { return try body() }
    return try connection.authorizing({ allows($0) }) { try naming(body) }
  }

  /// Runs `body`, and converts SQLite's permission error to the error of the violated rule.
  func naming<Result>(_ body: () throws -> Result) throws -> Result {
    refusal = nil
    do {
      return try body()
    } catch let error as DatabaseError {
      guard case .noPermission = error, let refusal else { throw error }
      throw refusal
    }
  }

  private func allows(_ write: Connection.Write) -> Bool {
    let broken = rules.first { $0.forbids(write) }
    if refusal == nil { refusal = broken?.error }
    return broken == nil
  }
}

extension WriteGuard.Rule {
  fileprivate func forbids(_ write: Connection.Write) -> Bool {
    // Names in SQLite are case-insensitive.
    func isOurs(_ name: String) -> Bool { name.uppercased() == table.uppercased() }
    switch (event, write) {
    case (.insert, .insert(let table)), (.delete, .delete(let table)): return isOurs(table)
    case (.update(let columns), .update(let table, let column)):
      return isOurs(table) && (columns.isEmpty || columns.contains(column))
    default: return false
    }
  }
}

extension Connection {
  /// - Parameter gaps: the parts of the store's model that are missing in the file.
  func writeGuard(for gaps: [SchemaGap]) throws(DatabaseError) -> WriteGuard {
    let spoiled = gaps.flatMap { gap -> [WriteGuard.Rule] in
      guard let (table, events) = gap.spoiledWrites else { return [] }
      return events.map {
        .init(table: table, event: $0, error: .incomplete(path: path, lacks: [gap]))
      }
    }
    let foreign = try fact(AllTriggers()).foreign.flatMap { trigger in
      [.insert, .update([]), .delete].map {
        WriteGuard.Rule(
          table: trigger.table, event: $0,
          error: .foreignTrigger(path: path, name: trigger.name, table: trigger.table))
      }
    }
    return WriteGuard(foreign + spoiled)
  }
}
