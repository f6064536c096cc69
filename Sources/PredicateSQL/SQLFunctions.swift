import RecordFormats
package import SQLiteAccess
import StorePredicate

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
