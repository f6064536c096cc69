import GRDBSQLite

/// Reads all rows of a request as numbers: of each its key, its entity, and what its values, and those
/// that it is sorted by, add up to. Nothing else of a row outlives the scan.
final class RowScan {
  private(set) var keys: [Int64] = []
  private(set) var numbers: [Int64] = []
  private(set) var fingerprints: [UInt64] = []
  private(set) var orders: [UInt64] = []
  /// The arguments that the row shows.
  private let shown: Range<Int>
  /// The arguments that it is sorted by.
  private let order: [Int]

  var count: Int { keys.count }

  /// - Throws: `StoreError`
  init(_ query: ResultQuery, on connection: Connection, expecting count: Int) throws(StoreError) {
    let (values, order) = query.scanned
    shown = 2..<(2 + query.row.values.count)
    self.order = order
    keys.reserveCapacity(count)
    numbers.reserveCapacity(count)
    fingerprints.reserveCapacity(count)
    orders.reserveCapacity(count)
    let limit = sqlite3_limit(connection.handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
    if values.count <= Int(limit) {
      try fold(query, values, on: connection)
    } else {
      try step(query, values, on: connection)
    }
    sortByKey()
  }

  /// As an aggregate: SQLite then hands over a row in one call, without a mutex for each value, which
  /// takes half the time of stepping.
  private func fold(
    _ query: ResultQuery, _ values: [SQL], on connection: Connection
  ) throws(StoreError) {
    try register(self, on: connection)
    defer { unregister(on: connection) }
    _ = try connection.integer(query.scan(["SCAN_ROWS(\(values.joined(", ")))"]))
  }

  /// For rows with more values than a function takes.
  private func step(
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
    keys.append(sqlite3_value_int64(values[0]))
    numbers.append(sqlite3_value_int64(values[1]))
    var fingerprint: UInt64 = 0
    for index in shown {
      // Not a sum: two values that have changed places make another row.
      fingerprint = ValueMix.both(fingerprint, ValueMix.value(values[index]))
    }
    fingerprints.append(fingerprint)
    var sum: UInt64 = 0
    for index in order { sum = ValueMix.both(sum, ValueMix.value(values[index])) }
    orders.append(sum)
  }

  /// Rows come by their keys, unless SQLite has found them by an index.
  private func sortByKey() {
    guard !zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { return }
    let places = keys.indices.sorted { keys[$0] < keys[$1] }
    numbers = places.map { numbers[$0] }
    fingerprints = places.map { fingerprints[$0] }
    orders = places.map { orders[$0] }
    keys = places.map { keys[$0] }
  }

  /// The place of a key.
  func place(of key: Int64) -> Int? {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}

extension RowScan {
  private static let function = "SCAN_ROWS"

  /// - Parameter scan: lives until `unregister`.
  private func register(_ scan: RowScan, on connection: Connection) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      connection.handle, Self.function, -1, SQLITE_UTF8,
      Unmanaged.passUnretained(scan).toOpaque(), nil,
      { context, count, values in
        guard let scan = sqlite3_user_data(context) else { return }
        Unmanaged<RowScan>.fromOpaque(scan)._withUnsafeGuaranteedRef {
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
