import RecordFormats
package import SQLiteAccess
import StoreLayout
import StorePredicate

/// The SQL functions that compiled predicates call and that SQLite doesn't have.
///
/// | function | result |
/// |---|---|
/// | `TEXT_EQUALS(text, other, options)` and `TEXT_CONTAINS`, `TEXT_BEGINS`, `TEXT_ENDS`, `TEXT_LIKE`, `TEXT_MATCHES` |
/// 0 or 1 | | `TEXT_COMPARE(text, other, options)` | -1, 0 or 1 | | `TEXT_IS_VALID(text)` | 1 if all bytes are UTF-8,
/// otherwise 0 | | `TEXT_UNITS(text)` | the length in UTF-16 units, by which the model limits lengths | | the
/// registered functions of `FunctionSQL` | the same result as in a predicate in memory | | `NUMBER_POWER(x, y)` |
/// number | | `NUMBER_SINGLE(x)` | the number rounded to 32 bits, as a Float attribute stores it | |
/// `NUMBER_DISTANCE(latitude, longitude, latitude, longitude)` | meters | | `NUMBER_MEDIAN(x)`, `NUMBER_DEVIATION(x)`,
/// `NUMBER_SUM(x)` over the rows of a group | number | | `DECIMAL_SUM(x)`, `DECIMAL_AVERAGE(x)`, `DECIMAL_MEDIAN(x)`
/// over the Decimals of a group | number | | `TEXT_METHOD(selector, text, …)` | the result of a string's method | |
/// `VALUE_CAST(value, source, target)` | the result of a CAST in a predicate | | `VALUE_CONVERT(value, from, to)` | the
/// value as another attribute type stores it | | `VALUE_BYTES(stored)`, `VALUE_FILE_SIZE(stored)` | see `StoredBytes` |
/// | `LIST_VALUE(list, i)` | the i-th value of a `ValueList` |
///
/// `options` is `''`, `'c'`, `'d'` or `'cd'`. Except in aggregates, the result is NULL if a value is NULL.
package enum SQLFunctions {
  /// Registers the functions on a connection.
  ///
  /// - Parameter files: reads the external files of the store.
  /// - Throws: `DatabaseError` if SQLite can't register a function.
  package static func register(
    on connection: Connection, files: StoredBytes.Files = .none
  ) throws(DatabaseError) {
    try StoredBytes.register(files, on: connection)
    for test in TextMatcher.Test.allCases {
      try connection.define(function: test.functionName, arguments: 3, test.call)
    }
    try connection.define(function: TextOrder.name, arguments: 3, TextOrder.call)
    for function in FormatFunction.allCases { try function.register(on: connection) }
    try connection.define(function: "TEXT_UNITS", arguments: 1) { call in
      guard let text = call.text(at: 0) else { return call.returnNull() }
      call.answer(.integer(Int64(text.utf16.count)))
    }
    try connection.define(function: "TEXT_IS_VALID", arguments: 1) { call in
      guard !call.isNull(at: 0) else { return call.returnNull() }
      call.answer(.integer(call.withText(at: 0) { UTF8Scalar.areValid(in: $0) } ? 1 : 0))
    }
    try connection.define("NUMBER_POWER", .numbers { Number.compute(.power, $0, $1) })
    try connection.define("NUMBER_SINGLE", .real { Double(Float($0)) })
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
  /// Returns the names of storetool's functions that a statement calls. Other programs with SQLite don't have them.
  package static func called(in sql: SQL) -> Set<String> {
    var called: Set<String> = []
    var word = ""
    for segment in sql.segments {
      // The name of a function and its parenthesis can be in different segments.
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

/// `TEXT_METHOD(selector, text, …)`: the methods of a string that `FUNCTION` calls, with the same results as in memory.
enum TextMethodCall {
  static let name = "TEXT_METHOD"

  static func call(_ call: FunctionCall) {
    guard call.arguments.count >= 2, let method = call.text(at: 0).flatMap(TextMethod.init),
      let text = call.text(at: 1)
    else { return call.returnNull() }
    let argument: DataValue?
    switch method.argument {
    case nil: argument = nil
    case .text?, .number?:
      guard call.arguments.count == 3, !call.isNull(at: 2) else { return call.returnNull() }
      argument =
        method.argument == .text
        ? call.text(at: 2).map(DataValue.string)
        : call.number(at: 2).map(DataValue.double)
    }
    call.answer(method.call(on: text, argument).map(SQLiteValue.init) ?? .null)
  }
}

extension SQLFunctions {
  /// Returns the part of a predicate for which a statement calls one of storetool's functions, such as `MATCHES` for
  /// `TEXT_MATCHES`, or nil for other functions.
  package static func wording(of function: String) -> String? { wordings[function.uppercased()] }

  /// The parts of predicates, by the name of the function. A test checks that all registered functions are included.
  private static let wordings: [String: String] = [
    TextMatcher.Test.equal.functionName: "==[c] or ==[d] between texts",
    TextMatcher.Test.contains.functionName: "CONTAINS",
    TextMatcher.Test.beginsWith.functionName: "BEGINSWITH",
    TextMatcher.Test.endsWith.functionName: "ENDSWITH",
    TextMatcher.Test.like.functionName: "LIKE",
    TextMatcher.Test.matches.functionName: "MATCHES",
    TextOrder.name: "a comparison of texts with < or BETWEEN",
    TextMethodCall.name: "a method of a text",
    ValueCastCall.name: "CAST()",
    ValueConversion.name: "a conversion to another attribute type",
    StoredBytes.bytesName: "a value in a file",
    StoredBytes.sizeName: "the size of a file",
    "TEXT_UNITS": "the length of a text",
    "TEXT_IS_VALID": "a UTF-8 test of a text",
    "NUMBER_DISTANCE": "distanceToLocation:fromLocation:",
    "LIST_VALUE": "a long list of fractions or bytes",
    "NUMBER_POWER": "**",
    "NUMBER_SINGLE": "a computed Float",
    AggregateFunction.median.rawValue: "median()",
    AggregateFunction.deviation.rawValue: "stddev()",
    AggregateFunction.sum.rawValue: "@sum of an Integer 64",
    AggregateFunction.decimalSum.rawValue: "@sum of a Decimal",
    AggregateFunction.decimalAverage.rawValue: "@avg of a Decimal",
    AggregateFunction.decimalMedian.rawValue: "median() of a Decimal",
  ].merging(
    FormatFunction.allCases.compactMap { function in
      function.registeredName.map { ($0, function.wording) }
    }, uniquingKeysWith: { own, _ in own })
}
