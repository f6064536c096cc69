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

  var argumentCount: Int32 { self == .power || self == .modulus ? 2 : 1 }

  static func call(_ function: NumberFunction) -> (FunctionCall) -> Void {
    { call in
      guard let x = call.number(at: 0) else { return call.returnNull() }
      guard function.argumentCount == 2 else { return call.answer(.real(function.value(x))) }
      guard let y = call.number(at: 1) else { return call.returnNull() }
      let isInteger = call.isInteger(at: 0) && call.isInteger(at: 1)
      call.answer(function.value(x, y, isInteger: isInteger))
    }
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
    case .power, .modulus: .nan
    }
  }

  private func value(_ x: Double, _ y: Double, isInteger: Bool) -> SQLiteValue {
    guard self == .modulus else { return .real(pow(x, y)) }
    guard y != 0 else { return .null }
    let rest = x.truncatingRemainder(dividingBy: y)
    return isInteger ? .integer(Int64(rest)) : .real(rest)
  }
}
