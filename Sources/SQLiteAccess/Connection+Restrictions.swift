import CSQLite

/// What an engine takes of SQL, beyond what SQLite itself does: its limits, and what it refuses.
package struct StatementRestrictions: Hashable, Sendable {
  /// What is not allowed in a statement.
  package enum Refused: Hashable, Sendable, CaseIterable {
    /// BEGIN, COMMIT, ROLLBACK, savepoints.
    case transactions
    case pragmas
    /// ATTACH, DETACH, and VACUUM, which attaches.
    case attaching
    /// Temporary tables, indexes, triggers and views.
    case temporaries
  }

  /// SQLite's limits by their names there; nil leaves SQLite's own.
  package struct Limits: Hashable, Sendable {
    package var statementBytes: Int?
    package var parameters: Int?
    package var columns: Int?
    package var functionArguments: Int?
    package var patternBytes: Int?
    package var compoundTerms: Int?
    package var valueBytes: Int?

    package init(
      statementBytes: Int? = nil, parameters: Int? = nil, columns: Int? = nil,
      functionArguments: Int? = nil, patternBytes: Int? = nil, compoundTerms: Int? = nil,
      valueBytes: Int? = nil
    ) {
      self.statementBytes = statementBytes
      self.parameters = parameters
      self.columns = columns
      self.functionArguments = functionArguments
      self.patternBytes = patternBytes
      self.compoundTerms = compoundTerms
      self.valueBytes = valueBytes
    }

    /// https://www.sqlite.org/c3ref/c_limit_attached.html
    fileprivate var numbers: [(CInt, Int)] {
      let all: [(CInt, Int?)] = [
        (SQLITE_LIMIT_SQL_LENGTH, statementBytes), (SQLITE_LIMIT_VARIABLE_NUMBER, parameters),
        (SQLITE_LIMIT_COLUMN, columns), (SQLITE_LIMIT_FUNCTION_ARG, functionArguments),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, patternBytes),
        (SQLITE_LIMIT_COMPOUND_SELECT, compoundTerms), (SQLITE_LIMIT_LENGTH, valueBytes),
      ]
      return all.compactMap { number, limit in limit.map { (number, $0) } }
    }
  }

  package var refused: Set<Refused>
  package var limits: Limits

  package init(refused: Set<Refused> = [], limits: Limits = Limits()) {
    self.refused = refused
    self.limits = limits
  }
}

extension Connection {
  /// Makes the connection as narrow as another engine for as long as it lives.
  package func restrict(to restrictions: StatementRestrictions) {
    for (number, limit) in restrictions.limits.numbers {
      sqlite3_limit(handle, number, CInt(limit))
    }
    let refused = restrictions.refused.reduce(into: 0) { $0 |= $1.bit }
    // The context is the set itself, so that nothing has to outlive this.
    sqlite3_set_authorizer(
      handle,
      { context, action, _, _, _, _ in
        let refused = Int(bitPattern: context)
        let isRefused = StatementRestrictions.Refused.allCases.contains {
          refused & $0.bit != 0 && $0.actions.contains(action)
        }
        return isRefused ? SQLITE_DENY : SQLITE_OK
      }, UnsafeMutableRawPointer(bitPattern: refused))
  }
}

extension StatementRestrictions.Refused {
  fileprivate var bit: Int {
    switch self {
    case .transactions: 1
    case .pragmas: 2
    case .attaching: 4
    case .temporaries: 8
    }
  }

  /// https://www.sqlite.org/c3ref/c_alter_table.html
  fileprivate var actions: [CInt] {
    switch self {
    case .transactions: [SQLITE_TRANSACTION, SQLITE_SAVEPOINT]
    case .pragmas: [SQLITE_PRAGMA]
    case .attaching: [SQLITE_ATTACH, SQLITE_DETACH]
    case .temporaries:
      [
        SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TRIGGER,
        SQLITE_CREATE_TEMP_VIEW,
      ]
    }
  }
}
