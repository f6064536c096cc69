import CSQLite
import SQLiteAccess
import StorePredicate

/// Aggregate functions that SQLite doesn't have, or that fail or are inexact for some numbers in SQLite. They ignore
/// NULL. If there are no other values, the result is NULL.
///
/// `NUMBER_SUM` is for columns whose sum can exceed 64 bits, because SQLite's own SUM would fail. The functions for
/// Decimals compute sums exactly as long as the digits fit (`DecimalSum`).
enum AggregateFunction: String, CaseIterable {
  case median = "NUMBER_MEDIAN"
  case deviation = "NUMBER_DEVIATION"
  case sum = "NUMBER_SUM"
  case decimalSum = "DECIMAL_SUM"
  case decimalAverage = "DECIMAL_AVERAGE"
  case decimalMedian = "DECIMAL_MEDIAN"

  /// Registers the function on a connection.
  ///
  /// - Throws: `DatabaseError` if SQLite can't register the function.
  func register(on connection: Connection) throws(DatabaseError) {
    try connection.require(create(on: connection.handle))
  }

  private func create(on handle: OpaquePointer) -> Int32 {
    switch self {
    case .sum:
      define(handle, { RunningSum<NumberSum>.step($0, $2) }) {
        RunningSum<NumberSum>.end($0) { sum, _ in sum.value }
      }
    case .decimalSum:
      define(handle, { RunningSum<DecimalSum>.step($0, $2) }) {
        RunningSum<DecimalSum>.end($0) { sum, _ in sum.value }
      }
    case .decimalAverage:
      define(handle, { RunningSum<DecimalSum>.step($0, $2) }) {
        RunningSum<DecimalSum>.end($0) { $0.mean(of: $1) }
      }
    case .median:
      define(handle, { Numbers.step($0, $2) }) { Numbers.end($0, \.median) }
    case .decimalMedian:
      define(handle, { Numbers.step($0, $2) }) { Numbers.end($0, \.decimalMedian) }
    case .deviation:
      define(handle, { Numbers.step($0, $2) }) { Numbers.end($0, \.standardDeviation) }
    }
  }

  private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

  private func define(
    _ handle: OpaquePointer,
    _ step: @convention(c) (OpaquePointer?, Int32, Arguments?) -> Void,
    _ end: @convention(c) (OpaquePointer?) -> Void
  ) -> Int32 {
    sqlite3_create_function_v2(
      handle, rawValue, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, nil, step, end, nil)
  }
}

/// A sum whose empty value consists of zero bytes.
private protocol ZeroedSum {
  mutating func add(_ number: Number)
}

extension NumberSum: ZeroedSum {}
extension DecimalSum: ZeroedSum {}

/// The sum of a group, in memory that SQLite allocates and fills with zeros.
private struct RunningSum<Sum: ZeroedSum> {
  private var sum: Sum
  private var count: Int

  static func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let number = Number(argument: values?[0]),
      let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<Self>.size))
    else { return }
    let state = memory.assumingMemoryBound(to: Self.self)
    state.pointee.count += 1
    state.pointee.sum.add(number)
  }

  static func end(_ context: OpaquePointer?, _ result: (Sum, Int) -> Number) {
    let memory = sqlite3_aggregate_context(context, 0)
    guard let state = memory?.assumingMemoryBound(to: Self.self), state.pointee.count > 0
    else { return sqlite3_result_null(context) }
    result(state.pointee.sum, state.pointee.count).answer(in: context)
  }
}

/// All numbers of a group, for functions that can't process them one by one.
private final class Numbers {
  private var values: [Number] = []

  static func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let number = Number(argument: values?[0]),
      let memory = sqlite3_aggregate_context(context, size)
    else { return }
    let place = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let pointer = place.pointee ?? Unmanaged.passRetained(Numbers()).toOpaque()
    place.pointee = pointer
    Unmanaged<Numbers>.fromOpaque(pointer).takeUnretainedValue().values.append(number)
  }

  /// Sets the result of a group and releases its numbers. SQLite calls this function for each group that it has begun,
  /// even if the statement is interrupted.
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

extension Statistics {
  /// The Decimal in the middle, or the mean of the two Decimals in the middle.
  fileprivate var decimalMedian: Number? {
    guard let first = middle.first, let last = middle.last else { return nil }
    guard middle.count == 2 else { return first }
    var sum = DecimalSum()
    sum.add(first)
    sum.add(last)
    return sum.mean(of: 2)
  }
}

extension Number {
  /// Creates the number of an argument, or nil for NULL.
  fileprivate init?(argument: OpaquePointer?) {
    guard let argument, sqlite3_value_type(argument) != SQLITE_NULL else { return nil }
    self =
      sqlite3_value_numeric_type(argument) == SQLITE_INTEGER
      ? .integer(sqlite3_value_int64(argument)) : .real(sqlite3_value_double(argument))
  }

  fileprivate func answer(in context: OpaquePointer?) {
    switch self {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    }
  }
}
