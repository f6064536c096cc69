import GRDBSQLite

/// All rows of a request as numbers, by key. Nothing else of a row outlives the scan.
struct RowScan {
  /// One row: its key, its entity, and what its values, and those that it is sorted by, add up to.
  struct Row {
    var key: Int64
    var number: Int64
    var fingerprint: UInt64
    var order: UInt64
  }

  private(set) var rows: [Row]

  var count: Int { rows.count }

  /// - Throws: `StoreError`
  init(_ query: ResultQuery, on connection: Connection, expecting count: Int) throws(StoreError) {
    let values = query.scanned.values
    let scanner = RowScanner(query, expecting: count)
    let limit = sqlite3_limit(connection.handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
    if values.count <= Int(limit) {
      try scanner.fold(query, values, on: connection)
    } else {
      try scanner.step(query, values, on: connection)
    }
    rows = scanner.rows
    // Rows come by their keys, unless SQLite has found them by an index.
    if !zip(rows, rows.dropFirst()).allSatisfy({ $0.key < $1.key }) {
      rows.sort { $0.key < $1.key }
    }
  }

  /// The place of a key.
  func place(of key: Int64) -> Int? {
    let place = rows.indices.firstPlace { rows[$0].key >= key }
    return place < rows.count && rows[place].key == key ? place : nil
  }
}

/// Takes the rows of a scan from SQLite.
private final class RowScanner {
  private(set) var rows: [RowScan.Row] = []
  /// The arguments that the row shows.
  private let shown: Range<Int>
  /// The arguments that it is sorted by.
  private let order: [Int]

  init(_ query: ResultQuery, expecting count: Int) {
    shown = 2..<(2 + query.row.values.count)
    order = query.scanned.order
    rows.reserveCapacity(count)
  }

  /// As an aggregate: SQLite then hands over a row in one call, without a mutex for each value, which
  /// takes half the time of stepping.
  func fold(
    _ query: ResultQuery, _ values: [SQL], on connection: Connection
  ) throws(StoreError) {
    try register(self, on: connection)
    defer { unregister(on: connection) }
    _ = try connection.integer(query.scan(["SCAN_ROWS(\(values.joined(", ")))"]))
  }

  /// For rows with more values than a function takes.
  func step(
    _ query: ResultQuery, _ values: [SQL], on connection: Connection
  ) throws(StoreError) {
    var statement = try connection.prepare(query.scan(values))
    var row = [OpaquePointer?](repeating: nil, count: values.count)
    while try statement.step() {
      for index in row.indices {
        row[index] = sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: index))
      }
      row.withUnsafeBufferPointer { add($0) }
    }
  }

  @inline(__always)
  private func add(_ values: UnsafeBufferPointer<OpaquePointer?>) {
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
      rows.append(
        RowScan.Row(
          key: sqlite3_value_int64(values[0]), number: number, fingerprint: fingerprint, order: sum)
      )
    }
  }
}

extension RowScanner {
  private static let function = "SCAN_ROWS"

  /// - Parameter scan: lives until `unregister`.
  private func register(_ scan: RowScanner, on connection: Connection) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      connection.handle, Self.function, -1, SQLITE_UTF8,
      Unmanaged.passUnretained(scan).toOpaque(), nil,
      { context, count, values in
        guard let scan = sqlite3_user_data(context) else { return }
        Unmanaged<RowScanner>.fromOpaque(scan)._withUnsafeGuaranteedRef {
          $0.add(UnsafeBufferPointer(start: values, count: Int(count)))
        }
      }, { sqlite3_result_null($0) }, nil)
    guard code == SQLITE_OK else { throw connection.lastError(code) }
  }

  private func unregister(on connection: Connection) {
    // It can only fail while a statement runs, and ours has ended.
    sqlite3_create_function_v2(
      connection.handle, Self.function, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}
