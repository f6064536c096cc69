import CSQLite
import StorePredicate

/// The SQL functions that compiled predicates call and that SQLite does not have.
///
/// | function | result |
/// |---|---|
/// | `TEXT_EQUALS(text, other, options)` and `TEXT_CONTAINS`, `TEXT_BEGINS`, `TEXT_ENDS`, `TEXT_LIKE`, `TEXT_MATCHES` | 0 or 1 |
/// | `TEXT_COMPARE(text, other, options)` | -1, 0 or 1 |
/// | `TEXT_UPPER(text)`, `TEXT_LOWER(text)`, `TEXT_CANONICAL(text)` | text |
/// | `TEXT_UNITS(text)` | its length in UTF-16 units, in which the model counts |
/// | `NUMBER_POWER(x, y)`, `NUMBER_MODULUS(x, y)`, `NUMBER_SQRT(x)` … | number |
/// | `NUMBER_DISTANCE(latitude, longitude, latitude, longitude)` | metres |
/// | `NUMBER_RANDOM()`, `NUMBER_RANDOM_BELOW(x)` | number |
/// | `NUMBER_MEDIAN(x)`, `NUMBER_DEVIATION(x)`, `NUMBER_SUM(x)` over the rows of a group | number |
/// | `TEXT_METHOD(selector, text, …)` | what the method of a string gives |
/// | `VALUE_CONVERT(value, from, to)` | the value as another attribute type stores it |
/// | `LIST_VALUE(list, i)` | the i-th value of a `ValueList` |
///
/// `options` is `''`, `'c'`, `'d'` or `'cd'`. NULL in, NULL out.
package enum SQLFunctions {
  /// Makes the functions known to a connection.
  ///
  /// - Throws: `StoreError` when SQLite has no memory left for them.
  package static func register(on handle: OpaquePointer) throws(StoreError) {
    for function in TextTest.allCases {
      try register(function.rawValue, arguments: 3, on: handle, TextTest.call(function))
    }
    try register(TextOrder.name, arguments: 3, on: handle, TextOrder.call)
    for function in TextChange.allCases {
      try register(function.rawValue, arguments: 1, on: handle, TextChange.call(function))
    }
    try register("TEXT_UNITS", arguments: 1, on: handle) { call in
      guard let text = call.text(at: 0) else { return call.returnNull() }
      call.answer(.integer(Int64(text.utf16.count)))
    }
    for function in NumberFunction.allCases {
      try register(
        function.rawValue, arguments: function.argumentCount, on: handle,
        NumberFunction.call(function))
    }
    for function in RandomFunction.allCases {
      try register(
        function.rawValue, arguments: function.argumentCount, isDeterministic: false, on: handle,
        RandomFunction.call(function))
    }
    for function in AggregateFunction.allCases {
      let code = function.register(on: handle)
      guard code == SQLITE_OK else { throw Connection(handle: handle, path: "").lastError(code) }
    }
    try register("NUMBER_DISTANCE", arguments: 4, on: handle) { call in
      let degrees = (0..<4).compactMap { call.number(at: $0) }
      guard degrees.count == 4 else { return call.returnNull() }
      let places = (
        Location(latitude: degrees[0], longitude: degrees[1]),
        Location(latitude: degrees[2], longitude: degrees[3])
      )
      call.answer(.real(places.0.distance(to: places.1)))
    }
    try register(ValueCastCall.name, arguments: 3, on: handle, ValueCastCall.call)
    try register(
      ValueConversion.name, arguments: 3, on: handle, ValueConversion.call)
    try register(TextMethodCall.name, arguments: -1, on: handle, TextMethodCall.call)
    try register("LIST_VALUE", arguments: 2, on: handle) { call in
      guard let list = call.bytes(at: 0) else { return call.returnNull() }
      let index = Int(truncatingIfNeeded: sqlite3_value_int64(call.arguments[1]))
      call.answer(ValueList.value(at: index, in: list) ?? .null)
    }
  }

  /// What a function does, kept alive by SQLite as long as the function is known.
  private final class Body {
    let run: (FunctionCall) -> Void

    init(_ run: @escaping (FunctionCall) -> Void) {
      self.run = run
    }
  }

  private static func register(
    _ name: String, arguments: Int32, isDeterministic: Bool = true, on handle: OpaquePointer,
    _ run: @escaping (FunctionCall) -> Void
  ) throws(StoreError) {
    // Deterministic: SQLite may compute a call with constant arguments once, and use it in an index.
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    let code = sqlite3_create_function_v2(
      handle, name, arguments, flags, Unmanaged.passRetained(Body(run)).toOpaque(),
      { context, count, values in
        guard let body = sqlite3_user_data(context), let context, let values else { return }
        Unmanaged<Body>.fromOpaque(body).takeUnretainedValue()
          .run(
            FunctionCall(
              context: context, arguments: UnsafeBufferPointer(start: values, count: Int(count))))
      }, nil, nil, { if let body = $0 { Unmanaged<Body>.fromOpaque(body).release() } })
    guard code == SQLITE_OK else {
      throw Connection(handle: handle, path: "").lastError(code)
    }
  }
}
