import SQLiteAccess
import StoreLayout

/// The writes to a store that must not be done, whoever asks for them: SQLite tells each statement's tables and columns
/// when it compiles it, the triggers that it fires included, so none has to be known here.
final class WriteGuard {
  struct Rule {
    var table: String
    var event: WriteEvent
    var error: StoreLayoutError
  }

  private let rules: [Rule]
  /// Why a statement was not compiled.
  private(set) var refusal: StoreLayoutError?

  init(_ rules: [Rule]) {
    self.rules = rules
  }

  /// Refuses the writes of `body`.
  ///
  /// - Throws: the error of a rule, for the first statement that breaks it; what `body` throws.
  func guarding<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
    guard !rules.isEmpty else { return try body() }
    return try connection.authorizing({ allows($0) }) { try naming(body) }
  }

  /// Says which rule a statement of `body` has broken, where SQLite says that it was not permitted.
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
    // SQLite's names have no case.
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
  /// - Parameter gaps: what the store's model needs and the file lacks.
  func writeGuard(for gaps: [SchemaGap]) throws(DatabaseError) -> WriteGuard {
    let spoiled = gaps.flatMap { gap -> [WriteGuard.Rule] in
      guard let (table, events) = gap.spoiledWrites else { return [] }
      return events.map {
        .init(table: table, event: $0, error: .incomplete(path: path, lacks: [gap]))
      }
    }
    let foreign = try triggers().foreign.flatMap { trigger in
      [.insert, .update([]), .delete].map {
        WriteGuard.Rule(
          table: trigger.table, event: $0,
          error: .foreignTrigger(path: path, name: trigger.name, table: trigger.table))
      }
    }
    return WriteGuard(foreign + spoiled)
  }
}
