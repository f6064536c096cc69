import SQLiteAccess

/// Reads rows for inferring a model. The number of rows and the size of their values are limited, so that large stores
/// take little time.
///
/// If the store is damaged or SQLite rejects a query, `fault` contains the error, and later queries return no evidence.
final class RowEvidence {
  /// The limits of each query, and the maximum number of queries (`queries`).
  private enum Limit {
    /// The maximum number of rows in a table that is read completely.
    static let wholeTable: Int64 = 20_000
    static let scanned: Int64 = 2000
    static let keys: Int64 = 100
    static let samples: Int64 = 40
    /// The maximum size of a value that is loaded for its first bytes.
    static let loaded: Int64 = 65_536
    static let columnsPerQuery = 500
    static let queries = 20_000
  }

  private let connection: Connection?
  private(set) var fault: DatabaseError?
  private var queriesLeft = Limit.queries
  private var wholeTables: [String: Bool] = [:]
  private var highestKeys: [String: Int64] = [:]

  /// - Parameter connection: nil to use only the schema.
  init(_ connection: Connection?) {
    self.connection = connection
  }

  /// Returns the entities whose rows have values in a column, by column, or nil if the table is too long or can't be
  /// read.
  func holders(of columns: [String], in table: String) throws(DatabaseError) -> [String: Set<
    Int64
  >]? {
    guard try isSeenWhole(table) else { return nil }
    var holders: [String: Set<Int64>] = [:]
    for start in stride(from: 0, to: columns.count, by: Limit.columnsPerQuery) {
      let some = columns[start..<min(columns.count, start + Limit.columnsPerQuery)]
      let counts = some.map { column -> SQL in "count(\(name: column))" }.joined(", ")
      let rows = try query(
        """
        SELECT \(.name(FixedColumn.entity)), \(counts) FROM \(name: table) \
        GROUP BY \(.name(FixedColumn.entity))
        """)
      guard let rows else { return nil }
      for row in rows {
        guard case .integer(let number)? = row.first else { continue }
        for (column, count) in zip(some, row.dropFirst()) where count != .integer(0) {
          holders[column, default: []].insert(number)
        }
      }
    }
    return holders
  }

  /// Returns the numbers of the entities that have rows, or nil if the table is too long or can't be read.
  func numbersInUse(in table: String) throws(DatabaseError) -> Set<Int64>? {
    guard try isSeenWhole(table) else { return nil }
    let rows = try query("SELECT DISTINCT \(.name(FixedColumn.entity)) FROM \(name: table)")
    return rows.map { Set($0.compactMap(\.first?.integer)) }
  }

  private func isSeenWhole(_ table: String) throws(DatabaseError) -> Bool {
    if let known = wholeTables[table] { return known }
    let limit = Limit.wholeTable + 1
    let rows = try query(
      "SELECT count(*) FROM (SELECT 1 FROM \(name: table) LIMIT \(value: .integer(limit)))")
    let isWhole = rows?.first?.first?.integer.map { $0 < limit } ?? false
    wholeTables[table] = isWhole
    return isWhole
  }

  /// Returns up to 100 different values of an indexed column: the greatest among its 2,000 lowest and 2,000 greatest
  /// values.
  func values(of column: String, in table: String) throws(DatabaseError) -> [SQLiteValue] {
    let values: SQL = """
      SELECT \(name: column) FROM \(name: table) WHERE \(name: column) IS NOT NULL \
      ORDER BY \(name: column)
      """
    let limit: SQL = "LIMIT \(value: .integer(Limit.scanned))"
    let rows = try query(
      """
      SELECT DISTINCT * FROM (SELECT * FROM (SELECT * FROM (\(values) DESC \(limit)) UNION \
      SELECT * FROM (\(values) ASC \(limit))) ORDER BY 1 DESC LIMIT \(value: .integer(Limit.keys)))
      """)
    return rows?.compactMap(\.first) ?? []
  }

  func highestKey(in table: String) throws(DatabaseError) -> Int64 {
    if let known = highestKeys[table] { return known }
    let rows = try query("SELECT max(\(.name(FixedColumn.primaryKey))) FROM \(name: table)")
    let highest = rows?.first?.first?.integer ?? 0
    highestKeys[table] = highest
    return highest
  }

  /// Returns the number of rows with one of these keys, by the row's entity.
  func entities(ofKeys keys: [Int64], in table: String) throws(DatabaseError) -> [Int64: Int] {
    let rows = try query(
      """
      SELECT \(.name(FixedColumn.entity)), count(*) FROM \(name: table) \
      WHERE \(.name(FixedColumn.primaryKey)) IN \(.list(keys)) GROUP BY \(.name(FixedColumn.entity))
      """)
    return (rows ?? []).reduce(into: [:]) { counts, row in
      guard let entity = row.first?.integer, let count = row.last?.integer else { return }
      counts[entity] = Int(count)
    }
  }

  /// Of up to 2,000 rows whose column `key` isn't NULL, returns the number of rows whose destination refers back to
  /// them by the column `back`, and the number of others.
  func agreement(
    of key: String, in table: String, with back: String, in other: String
  ) throws(DatabaseError) -> (agreeing: Int, differing: Int) {
    let rows = try query(
      """
      SELECT count(*), sum(o.\(name: back) IS t.\(.name(FixedColumn.primaryKey))) FROM \
      (SELECT * FROM \(name: table) WHERE \(name: key) IS NOT NULL \
      LIMIT \(value: .integer(Limit.scanned))) t \
      LEFT JOIN \(name: other) o ON o.\(.name(FixedColumn.primaryKey)) = t.\(name: key)
      """)
    guard let row = rows?.first, let all = row.first?.integer else { return (0, 0) }
    let agreeing = Int(row.last?.integer ?? 0)
    return (agreeing, Int(all) - agreeing)
  }

  /// Returns the first bytes and the lengths of up to 40 values among the first 2,000 rows.
  func blobs(in column: String, of table: String) throws(DatabaseError) -> [BlobSample] {
    let rows = try query(
      """
      SELECT length(b), CASE WHEN length(b) <= \(value: .integer(Limit.loaded)) \
      THEN substr(b, 1, 64) ELSE zeroblob(0) END \
      FROM (SELECT \(name: column) AS b FROM \(name: table) LIMIT \(value: .integer(Limit.scanned))) \
      WHERE typeof(b) = 'blob' LIMIT \(value: .integer(Limit.samples))
      """)
    return (rows ?? []).compactMap { row in
      guard let length = row.first?.integer, case .blob(let start)? = row.last else { return nil }
      return BlobSample(length: Int(length), start: start)
    }
  }

  /// Returns the rows of a query, or nil without a connection, after an error, or after the maximum number of queries.
  private func query(_ sql: SQL) throws(DatabaseError) -> [[SQLiteValue]]? {
    guard let connection, fault == nil, queriesLeft > 0 else { return nil }
    queriesLeft -= 1
    do throws(DatabaseError) {
      return try connection.rows(sql)
    } catch .damaged(let path, let message) {
      fault = .damaged(path: path, message: message)
      return nil
    } catch .sql(let path, let code, let message) {
      fault = .sql(path: path, code: code, message: message)
      return nil
    }
  }
}

struct BlobSample: Hashable {
  var length: Int
  /// The first bytes, or an empty array if the value is too long.
  var start: [UInt8]
}
