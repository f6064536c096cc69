import CSQLite
import SQLiteAccess
import StorePredicate

/// Foldings of many rows that SQLite does not have, or not for all numbers. NULL is passed over, and of
/// no numbers the result is NULL.
///
/// `NUMBER_SUM` is for columns whose sum may need more than 64 bits: SQLite's own SUM then fails.
enum AggregateFunction: String, CaseIterable {
  case median = "NUMBER_MEDIAN"
  case deviation = "NUMBER_DEVIATION"
  case sum = "NUMBER_SUM"

  /// - Throws: `DatabaseError` when SQLite has no memory left for it.
  func register(on connection: Connection) throws(DatabaseError) {
    let code = create(on: connection.handle)
    guard code == SQLITE_OK else { throw connection.lastError(code) }
  }

  private func create(on handle: OpaquePointer) -> Int32 {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    switch self {
    case .sum:
      return sqlite3_create_function_v2(
        handle, rawValue, 1, flags, nil, nil, { SumState.step($0, $2) }, { SumState.end($0) }, nil)
    case .median:
      return sqlite3_create_function_v2(
        handle, rawValue, 1, flags, nil, nil, { Numbers.step($0, $2) },
        { Numbers.end($0, \.median) }, nil)
    case .deviation:
      return sqlite3_create_function_v2(
        handle, rawValue, 1, flags, nil, nil, { Numbers.step($0, $2) },
        { Numbers.end($0, \.standardDeviation) }, nil)
    }
  }
}

/// Lies in the memory that SQLite keeps for a group. That begins as zeros, which is a sum of nothing.
private struct SumState {
  private var sum: NumberSum
  private var count: Int

  static func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL,
      let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<SumState>.size))
    else { return }
    let state = memory.assumingMemoryBound(to: SumState.self)
    state.pointee.count += 1
    if sqlite3_value_numeric_type(value) == SQLITE_INTEGER {
      state.pointee.sum.add(sqlite3_value_int64(value))
    } else {
      state.pointee.sum.add(sqlite3_value_double(value))
    }
  }

  static func end(_ context: OpaquePointer?) {
    let memory = sqlite3_aggregate_context(context, 0)
    guard let state = memory?.assumingMemoryBound(to: SumState.self), state.pointee.count > 0
    else { return sqlite3_result_null(context) }
    state.pointee.sum.value.answer(in: context)
  }
}

/// The numbers of a group, all of which the result needs.
private final class Numbers {
  private var values: [Number] = []

  static func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL,
      let memory = sqlite3_aggregate_context(context, size)
    else { return }
    let place = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let pointer = place.pointee ?? Unmanaged.passRetained(Numbers()).toOpaque()
    place.pointee = pointer
    Unmanaged<Numbers>.fromOpaque(pointer).takeUnretainedValue().values
      .append(
        sqlite3_value_numeric_type(value) == SQLITE_INTEGER
          ? .integer(sqlite3_value_int64(value)) : .real(sqlite3_value_double(value)))
  }

  /// SQLite ends each group that it began, also when the statement is given up.
  static func end(_ context: OpaquePointer?, _ result: (Statistics) -> Number?) {
    let memory = sqlite3_aggregate_context(context, 0)
    guard let pointer = memory?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
    else { return sqlite3_result_null(context) }
    let numbers = Unmanaged<Numbers>.fromOpaque(pointer).takeRetainedValue()
    guard let number = result(Statistics(numbers.values)) else {
      return sqlite3_result_null(context)
    }
    number.answer(in: context)
  }
}

extension Number {
  fileprivate func answer(in context: OpaquePointer?) {
    switch self {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    }
  }
}
