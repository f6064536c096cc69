import CSQLite
package import StoreDiagnostics

extension Connection {
  /// SQLite's integrity check of the file.
  package enum IntegrityCheck {
    /// The structure, and the consistency of indexes with rows.
    case whole
    /// Only the structure.
    case quick

    fileprivate var ofAll: SQL {
      switch self {
      case .whole: "PRAGMA integrity_check(20)"
      case .quick: "PRAGMA quick_check(1)"
      }
    }

    fileprivate func of(_ table: String) -> SQL {
      switch self {
      case .whole: "PRAGMA integrity_check(\(name: table))"
      case .quick: "PRAGMA quick_check(\(name: table))"
      }
    }
  }

  /// Returns the findings in SQLite's words. Empty for an intact file.
  ///
  /// The check of all tables stops at a virtual table that SQLite can't read. The check of a single table doesn't read
  /// virtual tables.
  package func check(_ check: IntegrityCheck) throws(DatabaseError) -> [String] {
    var questions = [check.ofAll]
    if try !unusableTables().isEmpty {
      questions = try (["sqlite_master"] + tableNames()).map(check.of)
    }
    var words: [String] = []
    for question in questions {
      do throws(DatabaseError) {
        words += try rows(question).compactMap { $0.first?.text }.filter { $0 != "ok" }
      } catch .sql(_, _, let message) {
        // An index can require an object that this SQLite doesn't have, such as a collation.
        words.append(message)
      }
    }
    return words
  }

  /// Checks the structure of the whole file, but not the consistency of indexes with rows.
  ///
  /// - Throws: `DatabaseError.damaged` with the first finding.
  package func quickCheck(naming path: FilePath? = nil) throws(DatabaseError) {
    guard let words = try check(.quick).first else { return }
    throw .damaged(path: path ?? self.path, message: words)
  }
}

extension Connection {
  /// Calls `body` with the values of each row of a query, like an aggregate function, with one call per row. Stepping
  /// takes a mutex for each value, and twice as long.
  ///
  /// - Parameters:
  ///   - width: the number of columns of the query.
  ///   - body: receives values that are valid until it returns.
  /// - Throws: `DatabaseError`
  package func forEachRow(
    of query: SQL, width: Int, _ body: (UnsafeBufferPointer<OpaquePointer?>) -> Void
  ) throws(DatabaseError) {
    guard width <= Int(sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)) else {
      return try stepThroughRows(of: query, width: width, body)
    }
    let columns = (0..<width).map { SQL.name("c\($0)") }.joined(", ")
    let fold: SQL = """
      WITH r (\(columns)) AS (\(query)) SELECT \(name: Self.taking)(\(columns)) FROM r
      """
    // As a value, because a closure that is passed on can't have a typed error.
    let result = withoutActuallyEscaping(body) { body in
      let taker = RowTaker(body)
      return Result { () throws(DatabaseError) in
        try register(taker)
        defer { unregisterTaker() }
        _ = try integer(fold)
      }
    }
    try result.get()
  }

  /// Steps through rows with more values than the arguments of a function.
  private func stepThroughRows(
    of query: SQL, width: Int, _ body: (UnsafeBufferPointer<OpaquePointer?>) -> Void
  ) throws(DatabaseError) {
    var statement = try prepare(query)
    var row = [OpaquePointer?](repeating: nil, count: width)
    while try statement.step() {
      for index in row.indices {
        row[index] = sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: index))
      }
      row.withUnsafeBufferPointer(body)
    }
  }

  private static let taking = "EACH_ROW"

  /// - Parameter taker: must exist until `unregisterTaker`.
  private func register(_ taker: RowTaker) throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      handle, Self.taking, -1, SQLITE_UTF8, Unmanaged.passUnretained(taker).toOpaque(), nil,
      { context, count, values in
        guard let taker = sqlite3_user_data(context) else { return }
        Unmanaged<RowTaker>.fromOpaque(taker)._withUnsafeGuaranteedRef {
          $0.call(UnsafeBufferPointer(start: values, count: Int(count)))
        }
      }, { sqlite3_result_null($0) }, nil)
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  private func unregisterTaker() {
    // It can only fail while a statement runs, and this statement has ended.
    sqlite3_create_function_v2(handle, Self.taking, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

private typealias RowTaker = CallbackBox<(UnsafeBufferPointer<OpaquePointer?>) -> Void>
