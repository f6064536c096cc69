import CSQLite
package import StoreDiagnostics

extension Connection {
  /// SQLite's integrity check of the file.
  package enum IntegrityCheck {
    /// Checks the structure of the file, and whether the indexes match the rows.
    case whole
    /// Checks only the structure of the file.
    case quick

    fileprivate func of(_ table: String) -> SQL {
      "PRAGMA \(self == .whole ? "integrity_check" : "quick_check")(\(name: table))"
    }
  }

  /// Returns SQLite's messages about damage, or an empty array for an intact file. The array contains at most 20
  /// messages for `.whole` and at most one for `.quick`, unless the tables are checked separately. It also contains
  /// errors that prevent a check, such as a missing collation.
  ///
  /// SQLite's check of all tables fails if it can't read a virtual table. In that case, each table is checked
  /// separately, because the check of a single table doesn't read virtual tables.
  package func check(_ check: IntegrityCheck) throws(DatabaseError) -> [String] {
    var pragmas: [SQL] = [check == .whole ? "PRAGMA integrity_check(20)" : "PRAGMA quick_check(1)"]
    if try !unusableTables().isEmpty {
      pragmas = try (["sqlite_master"] + tableNames()).map(check.of)
    }
    var findings: [String] = []
    for pragma in pragmas {
      do throws(DatabaseError) {
        // A message can begin with a line that names the database, such as `*** in database main ***`.
        findings += try rows(pragma).compactMap { $0.first?.text }.flatMap {
          $0.split(separator: "\n").filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
        }.map(String.init)
      } catch .sql(_, _, let message) {
        // An index can require an object that this SQLite doesn't have, such as a collation.
        findings.append(message)
      }
    }
    return findings
  }

  /// Checks the structure of the whole file, but not whether the indexes match the rows.
  ///
  /// - Parameter path: the path for the error, or nil for the path of the connection.
  /// - Throws: `DatabaseError.damaged` with SQLite's first message; another `DatabaseError` if the file can't be read.
  package func quickCheck(naming path: LocalPath? = nil) throws(DatabaseError) {
    guard let finding = try check(.quick).first else { return }
    throw .damaged(path: path ?? self.path, message: finding)
  }
}

extension Connection {
  /// Calls `body` with the values of each row of a query. An SQL aggregate function receives the rows, because reading
  /// them with `Statement.step` takes twice as long.
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
      WITH r (\(columns)) AS (\(query)) SELECT \(name: Self.functionName)(\(columns)) FROM r
      """
    // Returns a `Result`, because the closure of `withoutActuallyEscaping` can't throw a typed error.
    let result = withoutActuallyEscaping(body) { body in
      let receiver = RowReceiver(body)
      return Result { () throws(DatabaseError) in
        try register(receiver)
        defer { unregisterReceiver() }
        _ = try integer(fold)
      }
    }
    try result.get()
  }

  /// Steps through the rows of a query with more columns than an SQL function can have arguments.
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

  private static let functionName = "EACH_ROW"

  /// Registers the aggregate function.
  ///
  /// - Parameter receiver: receives the rows. SQLite doesn't retain it, so the caller must retain it until
  ///   `unregisterReceiver()`.
  private func register(_ receiver: RowReceiver) throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      handle, Self.functionName, -1, SQLITE_UTF8, Unmanaged.passUnretained(receiver).toOpaque(),
      nil,
      { context, count, values in
        guard let receiver = sqlite3_user_data(context) else { return }
        Unmanaged<RowReceiver>.fromOpaque(receiver)._withUnsafeGuaranteedRef {
          $0.call(UnsafeBufferPointer(start: values, count: Int(count)))
        }
      }, { sqlite3_result_null($0) }, nil)
    try require(code)
  }

  private func unregisterReceiver() {
    // The call fails only while a statement runs, and the statement with this function has ended.
    sqlite3_create_function_v2(handle, Self.functionName, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

private typealias RowReceiver = CallbackBox<(UnsafeBufferPointer<OpaquePointer?>) -> Void>
