import RecordFormats
package import SQLiteAccess
import StoreLayout
import StorePredicate

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The SQL functions that compiled predicates call and that SQLite does not have.
///
/// | function | result |
/// |---|---|
/// | `TEXT_EQUALS(text, other, options)` and `TEXT_CONTAINS`, `TEXT_BEGINS`, `TEXT_ENDS`, `TEXT_LIKE`, `TEXT_MATCHES` | 0 or 1 |
/// | `TEXT_COMPARE(text, other, options)` | -1, 0 or 1 |
/// | `TEXT_UPPER(text)`, `TEXT_LOWER(text)`, `TEXT_CANONICAL(text)` | text |
/// | `TEXT_IS_VALID(text)` | 1 where all bytes are UTF-8, otherwise 0 |
/// | `TEXT_UNITS(text)` | its length in UTF-16 units, in which the model counts |
/// | `NUMBER_POWER(x, y)`, `NUMBER_MODULUS(x, y)`, `NUMBER_SQRT(x)` … | number |
/// | `NUMBER_DISTANCE(latitude, longitude, latitude, longitude)` | metres |
/// | `NUMBER_RANDOM()`, `NUMBER_RANDOM_BELOW(x)` | number |
/// | `NUMBER_MEDIAN(x)`, `NUMBER_DEVIATION(x)`, `NUMBER_SUM(x)` over the rows of a group | number |
/// | `DECIMAL_SUM(x)`, `DECIMAL_AVERAGE(x)`, `DECIMAL_MEDIAN(x)` over the Decimals of a group | number |
/// | `TEXT_METHOD(selector, text, …)` | what the method of a string gives |
/// | `VALUE_CONVERT(value, from, to)` | the value as another attribute type stores it |
/// | `VALUE_BYTES(stored)`, `VALUE_FILE_SIZE(stored)` | see `StoredBytes` |
/// | `LIST_VALUE(list, i)` | the i-th value of a `ValueList` |
///
/// `options` is `''`, `'c'`, `'d'` or `'cd'`. NULL in, NULL out.
package enum SQLFunctions {
  /// Registers the functions on a connection.
  ///
  /// - Parameter files: The files with values of the store that the connection reads.
  /// - Throws: `DatabaseError` when SQLite has no memory left for them.
  package static func register(
    on connection: Connection, files: StoredBytes.Files = .none
  ) throws(DatabaseError) {
    try StoredBytes.register(files, on: connection)
    for function in TextTest.allCases {
      try connection.define(function: function.rawValue, arguments: 3, TextTest.call(function))
    }
    try connection.define(function: TextOrder.name, arguments: 3, TextOrder.call)
    for function in TextChange.allCases {
      try connection.define(function: function.rawValue, arguments: 1, TextChange.call(function))
    }
    try connection.define(function: "TEXT_UNITS", arguments: 1) { call in
      guard let text = call.text(at: 0) else { return call.returnNull() }
      call.answer(.integer(Int64(text.utf16.count)))
    }
    try connection.define(function: "TEXT_IS_VALID", arguments: 1) { call in
      guard !call.isNull(at: 0) else { return call.returnNull() }
      call.answer(.integer(call.withText(at: 0) { UTF8Scalar.areValid(in: $0) } ? 1 : 0))
    }
    for function in NumberFunction.allCases {
      try connection.define(
        function: function.rawValue, arguments: function.argumentCount,
        NumberFunction.call(function))
    }
    for function in RandomFunction.allCases {
      try connection.define(
        function: function.rawValue, arguments: function.argumentCount, isDeterministic: false,
        RandomFunction.call(function))
    }
    for function in AggregateFunction.allCases {
      try function.register(on: connection)
    }
    try connection.define(function: "NUMBER_DISTANCE", arguments: 4) { call in
      let degrees = (0..<4).compactMap { call.number(at: $0) }
      guard degrees.count == 4 else { return call.returnNull() }
      let places = (
        Location(latitude: degrees[0], longitude: degrees[1]),
        Location(latitude: degrees[2], longitude: degrees[3])
      )
      call.answer(.real(places.0.distance(to: places.1)))
    }
    try connection.define(function: ValueCastCall.name, arguments: 3, ValueCastCall.call)
    try connection.define(function: ValueConversion.name, arguments: 3, ValueConversion.call)
    try connection.define(function: TextMethodCall.name, arguments: -1, TextMethodCall.call)
    try connection.define(function: "LIST_VALUE", arguments: 2) { call in
      guard let list = call.bytes(at: 0) else { return call.returnNull() }
      let index = Int(truncatingIfNeeded: call.integer(at: 1) ?? 0)
      call.answer(ValueList.value(at: index, in: list) ?? .null)
    }
  }
}

extension SQLFunctions {
  /// The functions of ours that a statement calls, which another SQLite engine lacks.
  package static func called(in sql: SQL) -> Set<String> {
    var called: Set<String> = []
    var word = ""
    for segment in sql.segments {
      // The name of a function and its parenthesis may be two segments.
      guard case .text(let text) = segment else {
        word = ""
        continue
      }
      for scalar in text.unicodeScalars {
        if scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar) {
          word.unicodeScalars.append(scalar)
          continue
        }
        if scalar == "(", names.contains(word) { called.insert(word) }
        word = ""
      }
    }
    return called
  }

  private static let names = Set(wordings.keys)
}

/// `TEXT_METHOD(selector, text, …)`: the methods of a string that `FUNCTION` calls, as in memory.
enum TextMethodCall {
  static let name = "TEXT_METHOD"

  static func call(_ call: FunctionCall) {
    guard call.arguments.count >= 2, let method = call.text(at: 0).flatMap(TextMethod.init),
      let text = call.text(at: 1)
    else { return call.returnNull() }
    let argument: Value?
    switch method.argument {
    case nil: argument = nil
    case .text?, .number?:
      guard call.arguments.count == 3, !call.isNull(at: 2) else { return call.returnNull() }
      argument =
        method.argument == .text
        ? call.text(at: 2).map(Value.string)
        : call.number(at: 2).map(Value.double)
    }
    call.answer(method.call(on: text, argument).map(SQLiteValue.init) ?? .null)
  }
}

extension SQLFunctions {
  /// What a user has written where a statement calls a function of ours: `MATCHES`.
  package static func wording(of function: String) -> String? { wordings[function.uppercased()] }

  /// All of them; a test calls each by its name.
  static let wordings: [String: String] = [
    TextTest.equals.rawValue: "==[c] or ==[d] between texts",
    TextTest.contains.rawValue: "CONTAINS",
    TextTest.begins.rawValue: "BEGINSWITH",
    TextTest.ends.rawValue: "ENDSWITH",
    TextTest.like.rawValue: "LIKE",
    TextTest.matches.rawValue: "MATCHES",
    TextOrder.name: "an order between texts, as < or BETWEEN",
    TextChange.upper.rawValue: "uppercase()",
    TextChange.lower.rawValue: "lowercase()",
    TextChange.canonical.rawValue: "canonical:",
    TextMethodCall.name: "a function over a text",
    ValueCastCall.name: "CAST()",
    ValueConversion.name: "another type of an attribute",
    StoredBytes.bytesName: "a value in a file",
    StoredBytes.sizeName: "the size of a file",
    "TEXT_UNITS": "the length of a text",
    "TEXT_IS_VALID": "a test whether a text is UTF-8",
    "NUMBER_DISTANCE": "distanceToLocation:fromLocation:",
    "LIST_VALUE": "a list of fractions or bytes",
    NumberFunction.power.rawValue: "**",
    NumberFunction.modulus.rawValue: "modulus:by:",
    NumberFunction.squareRoot.rawValue: "sqrt()",
    NumberFunction.decimalLog.rawValue: "log()",
    NumberFunction.naturalLog.rawValue: "ln()",
    NumberFunction.exponential.rawValue: "exp()",
    NumberFunction.ceiling.rawValue: "ceiling()",
    NumberFunction.floor.rawValue: "floor()",
    NumberFunction.truncate.rawValue: "trunc()",
    NumberFunction.absolute.rawValue: "abs()",
    NumberFunction.single.rawValue: "a computed Float",
    RandomFunction.unit.rawValue: "random()",
    RandomFunction.below.rawValue: "randomn()",
    AggregateFunction.median.rawValue: "median()",
    AggregateFunction.deviation.rawValue: "stddev()",
    AggregateFunction.sum.rawValue: "@sum of an Integer 64",
    AggregateFunction.decimalSum.rawValue: "@sum of a Decimal",
    AggregateFunction.decimalAverage.rawValue: "@avg of a Decimal",
    AggregateFunction.decimalMedian.rawValue: "median() of a Decimal",
  ]
}

/// Numbers that differ from row to row, so that SQLite must not compute them once for all.
enum RandomFunction: String, CaseIterable {
  /// From 0 up to 1.
  case unit = "NUMBER_RANDOM"
  /// An integer from 0 up to the argument; 0 where there is none.
  case below = "NUMBER_RANDOM_BELOW"

  var argumentCount: Int32 { self == .unit ? 0 : 1 }

  static func call(_ function: RandomFunction) -> (FunctionCall) -> Void {
    { call in
      switch function {
      case .unit: call.answer(.real(Double.random(in: 0..<1)))
      case .below:
        guard let limit = call.integer(at: 0) else { return call.returnNull() }
        call.answer(.integer(limit > 0 ? Int64.random(in: 0..<limit) : 0))
      }
    }
  }
}

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
