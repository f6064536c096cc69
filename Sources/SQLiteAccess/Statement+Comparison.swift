import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Comparing the current rows of two statements, without a Swift value for each column.
extension Statement {
  /// Whether two columns hold the same: numbers of one size, equal bytes, or NULL both.
  package func holds(_ column: Int32, equalTo other: borrowing Statement, _ otherColumn: Int32)
    -> Bool
  {
    // One thread uses both connections: the values may be read past their mutexes.
    Self.order(
      sqlite3_column_value(handle, column), sqlite3_column_value(other.handle, otherColumn),
      isForEquality: true) == 0
  }

  /// Below, at or above 0, as SQLite sorts: NULL, numbers, text by its bytes, then bytes.
  package func order(_ column: Int32, against other: borrowing Statement, _ otherColumn: Int32)
    -> Int
  {
    Self.order(
      sqlite3_column_value(handle, column), sqlite3_column_value(other.handle, otherColumn),
      isForEquality: false)
  }

  /// - Parameter isForEquality: only whether it is 0 matters.
  @inline(__always)
  private static func order(
    _ one: OpaquePointer?, _ other: OpaquePointer?, isForEquality: Bool
  ) -> Int {
    let types = (sqlite3_value_type(one), sqlite3_value_type(other))
    switch types {
    case (SQLITE_INTEGER, SQLITE_INTEGER):
      return compare(sqlite3_value_int64(one), sqlite3_value_int64(other))
    case (SQLITE_FLOAT, SQLITE_FLOAT):
      return compare(sqlite3_value_double(one), sqlite3_value_double(other))
    case (SQLITE_INTEGER, SQLITE_FLOAT):
      return compare(sqlite3_value_int64(one), to: sqlite3_value_double(other))
    case (SQLITE_FLOAT, SQLITE_INTEGER):
      return -compare(sqlite3_value_int64(other), to: sqlite3_value_double(one))
    case (SQLITE_TEXT, SQLITE_TEXT):
      return compare(
        UnsafeRawPointer(sqlite3_value_text(one)), Int(sqlite3_value_bytes(one)),
        UnsafeRawPointer(sqlite3_value_text(other)), Int(sqlite3_value_bytes(other)), isForEquality)
    case (SQLITE_BLOB, SQLITE_BLOB):
      return compare(
        sqlite3_value_blob(one), Int(sqlite3_value_bytes(one)),
        sqlite3_value_blob(other), Int(sqlite3_value_bytes(other)), isForEquality)
    default: return rank(types.0) - rank(types.1)
    }
  }

  @inline(__always)
  private static func compare<Number: Comparable>(_ one: Number, _ other: Number) -> Int {
    one < other ? -1 : one == other ? 0 : 1
  }

  /// Exactly: a large integer has neighbors that are the same Double.
  private static func compare(_ integer: Int64, to real: Double) -> Int {
    let floor = real.rounded(.down)
    guard let whole = Int64(exactly: floor) else { return real > 0 ? -1 : 1 }
    if integer != whole { return integer < whole ? -1 : 1 }
    return real > floor ? -1 : 0
  }

  @inline(__always)
  private static func compare(
    _ one: UnsafeRawPointer?, _ count: Int, _ other: UnsafeRawPointer?, _ otherCount: Int,
    _ isForEquality: Bool
  ) -> Int {
    if isForEquality && count != otherCount { return 1 }
    let shared = min(count, otherCount)
    if shared > 0, let one, let other {
      let order = memcmp(one, other, shared)
      if order != 0 { return Int(order) }
    }
    return count - otherCount
  }

  private static func rank(_ type: CInt) -> Int {
    switch type {
    case SQLITE_NULL: 0
    case SQLITE_INTEGER, SQLITE_FLOAT: 1
    case SQLITE_TEXT: 2
    default: 3
    }
  }
}
