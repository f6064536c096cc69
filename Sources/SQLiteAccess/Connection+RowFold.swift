import CSQLite

extension Connection {
  /// Hands the values of each row of a query to `body`, as an aggregate function takes them: in one call for a
  /// row. Stepping takes a mutex for each value, and twice as long.
  ///
  /// - Parameters:
  ///   - width: how many columns the query has.
  ///   - body: is given values that last until it returns.
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
    // As a value: a closure that is handed on knows no typed error.
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

  /// For rows with more values than a function takes.
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

  /// - Parameter taker: lives until `unregisterTaker`.
  private func register(_ taker: RowTaker) throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      handle, Self.taking, -1, SQLITE_UTF8, Unmanaged.passUnretained(taker).toOpaque(), nil,
      { context, count, values in
        guard let taker = sqlite3_user_data(context) else { return }
        Unmanaged<RowTaker>.fromOpaque(taker)._withUnsafeGuaranteedRef {
          $0.take(UnsafeBufferPointer(start: values, count: Int(count)))
        }
      }, { sqlite3_result_null($0) }, nil)
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  private func unregisterTaker() {
    // It can only fail while a statement runs, and ours has ended.
    sqlite3_create_function_v2(handle, Self.taking, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

private final class RowTaker {
  let take: (UnsafeBufferPointer<OpaquePointer?>) -> Void

  init(_ take: @escaping (UnsafeBufferPointer<OpaquePointer?>) -> Void) {
    self.take = take
  }
}
