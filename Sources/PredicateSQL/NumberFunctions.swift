import SQLiteAccess
import StorePredicate

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Numeric functions; SQLite has some of them, but not in every build.
enum NumberFunction: String, CaseIterable {
  case power = "NUMBER_POWER"
  case modulus = "NUMBER_MODULUS"
  case squareRoot = "NUMBER_SQRT"
  case decimalLog = "NUMBER_LOG10"
  case naturalLog = "NUMBER_LN"
  case exponential = "NUMBER_EXP"
  case ceiling = "NUMBER_CEILING"
  case floor = "NUMBER_FLOOR"
  case truncate = "NUMBER_TRUNCATE"
  /// SQLite's own fails for the least integer.
  case absolute = "NUMBER_ABS"
  /// What 32 bits keep of a number, as a Float attribute is stored.
  case single = "NUMBER_SINGLE"

  var argumentCount: Int32 { self == .power || self == .modulus ? 2 : 1 }

  static func call(_ function: NumberFunction) -> (FunctionCall) -> Void {
    { call in
      guard let x = call.exactNumber(at: 0) else { return call.returnNull() }
      guard function.argumentCount == 2 else { return call.answer(function.value(x)) }
      guard let y = call.exactNumber(at: 1) else { return call.returnNull() }
      guard function == .modulus else { return call.answer(.real(pow(x.real, y.real))) }
      call.answer(x.remainder(by: y)?.stored ?? .null)
    }
  }

  private func value(_ x: Number) -> SQLiteValue {
    self == .absolute ? x.magnitude.stored : .real(value(x.real))
  }

  /// NaN, for the root of -1, becomes NULL in SQLite.
  private func value(_ x: Double) -> Double {
    switch self {
    case .squareRoot: x.squareRoot()
    case .decimalLog: log10(x)
    case .naturalLog: log(x)
    case .exponential: exp(x)
    case .ceiling: x.rounded(.up)
    case .floor: x.rounded(.down)
    case .truncate: x.rounded(.towardZero)
    case .single: Double(Float(x))
    case .power, .modulus, .absolute: .nan
    }
  }
}

extension FunctionCall {
  /// The number of an argument, an integer with all its digits; nil for NULL.
  fileprivate func exactNumber(at index: Int) -> Number? {
    isInteger(at: index)
      ? integer(at: index).map(Number.integer) : number(at: index).map(Number.real)
  }
}

extension Number {
  fileprivate var stored: SQLiteValue {
    switch self {
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    }
  }
}
