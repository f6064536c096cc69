import SQLiteAccess

/// One statement of a script, or a condition that must hold when the script gets there.
enum ScriptPart: Hashable, Sendable {
  /// - purpose: for the reader; nil where there is nothing to say.
  case change(SQL, purpose: String?)
  /// A SELECT that must have no row, and what is wrong where it has one.
  case condition(SQL, words: String)

  var sql: SQL {
    switch self {
    case .change(let sql, _), .condition(let sql, _): sql
    }
  }

  var changes: Bool { if case .condition = self { false } else { true } }

  func replacing(_ sql: SQL) -> ScriptPart {
    switch self {
    case .change(_, let purpose): .change(sql, purpose: purpose)
    case .condition(_, let words): .condition(sql, words: words)
    }
  }
}

extension ScriptPart {
  /// - Parameter purposes: what is known of some of the statements.
  init(_ entry: StatementRecorder.Entry, purposes: [SQL: String] = [:]) {
    switch entry {
    case .change(let sql): self = .change(sql, purpose: purposes[sql])
    case .condition(let sql, let words): self = .condition(sql, words: words)
    }
  }
}

extension [ScriptPart] {
  /// Without the temporary tables that nothing else reads: those that a request keeps for its own answers.
  var withoutIdleTables: [ScriptPart] {
    let scratch = ScratchTables(of: map(\.sql))
    let targets = map { part -> String? in
      if case .condition = part { nil } else { scratch.target(of: part.sql) }
    }
    var used: Set<String> = []
    var count = -1
    // What a table that is read is filled from is read, too.
    while used.count != count {
      count = used.count
      for (part, target) in zip(self, targets) where target.map(used.contains) ?? true {
        used.formUnion(scratch.mentioned(in: part.sql))
      }
    }
    return zip(self, targets).filter { $0.1.map(used.contains) ?? true }.map(\.0)
  }
}
