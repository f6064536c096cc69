import GRDBSQLite

/// Takes the rows of a scan from SQLite, and hands them to a comparison with the scan before.
struct RowScanner {
  private var comparison: ScanComparison
  /// The arguments that the row shows.
  private let shown: Range<Int>
  /// The arguments that it is sorted by.
  private let order: [Int]

  /// What a scan of all rows now says that the one before did not.
  ///
  /// - Throws: `StoreError`
  static func difference(
    from old: RowScan, _ query: ResultQuery, on connection: Connection
  ) throws(StoreError) -> ScanDifference {
    var scanner = RowScanner(query, old)
    let values = query.scanned.values
    let limit = sqlite3_limit(connection.handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
    if values.count <= Int(limit) {
      try scanner.fold(query, values, on: connection)
    } else {
      try scanner.step(query, values, on: connection)
    }
    return scanner.comparison.finish()
  }

  private init(_ query: ResultQuery, _ old: RowScan) {
    comparison = ScanComparison(old)
    shown = 2..<(2 + query.row.values.count)
    order = query.scanned.order
  }

  /// As an aggregate: SQLite then hands over a row in one call, without a mutex for each value, which
  /// takes half the time of stepping.
  private mutating func fold(
    _ query: ResultQuery, _ values: [SQL], on connection: Connection
  ) throws(StoreError) {
    // As a typed error: a pointer's closure knows none.
    let result = withUnsafeMutablePointer(to: &self) { scanner in
      Result { () throws(StoreError) in
        try Self.register(scanner, on: connection)
        defer { Self.unregister(on: connection) }
        _ = try connection.integer(query.scan(["SCAN_ROWS(\(values.joined(", ")))"]))
      }
    }
    try result.get()
  }

  /// For rows with more values than a function takes.
  private mutating func step(
    _ query: ResultQuery, _ values: [SQL], on connection: Connection
  ) throws(StoreError) {
    var statement = try connection.prepare(query.scan(values))
    var row = [OpaquePointer?](repeating: nil, count: values.count)
    while try statement.step() {
      for index in row.indices {
        row[index] = sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: index))
      }
      row.withUnsafeBufferPointer { take($0) }
    }
  }

  @inline(__always)
  private mutating func take(_ values: UnsafeBufferPointer<OpaquePointer?>) {
    // A value that is shown and sorted by is mixed once.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: values.count) { mixes in
      for index in values.indices {
        mixes.initializeElement(
          at: index, to: index < shown.lowerBound ? 0 : ValueMix.value(values[index]))
      }
      let number = sqlite3_value_int64(values[1])
      // Not a sum: two values that have changed places make another row, and so does another entity.
      let fingerprint = shown.reduce(UInt64(bitPattern: number)) { ValueMix.both($0, mixes[$1]) }
      let sum = order.reduce(0) { ValueMix.both($0, mixes[$1]) }
      comparison.take(
        RowScan.Row(
          key: sqlite3_value_int64(values[0]), number: number, fingerprint: fingerprint, order: sum)
      )
    }
  }
}

extension RowScanner {
  private static let function = "SCAN_ROWS"

  /// - Parameter scanner: lives until `unregister`.
  private static func register(
    _ scanner: UnsafeMutablePointer<RowScanner>, on connection: Connection
  ) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      connection.handle, function, -1, SQLITE_UTF8, scanner, nil,
      { context, count, values in
        guard let scanner = sqlite3_user_data(context) else { return }
        scanner.assumingMemoryBound(to: RowScanner.self).pointee
          .take(UnsafeBufferPointer(start: values, count: Int(count)))
      }, { sqlite3_result_null($0) }, nil)
    guard code == SQLITE_OK else { throw connection.lastError(code) }
  }

  private static func unregister(on connection: Connection) {
    // It can only fail while a statement runs, and ours has ended.
    sqlite3_create_function_v2(
      connection.handle, function, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}
