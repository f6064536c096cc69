import CSQLite

extension Connection {
  /// Makes a function known to the statements of this connection, as long as it lasts.
  ///
  /// - Parameters:
  ///   - arguments: how many it takes; -1 for any number.
  ///   - isDeterministic: SQLite may compute a call with constant arguments once, and use it in an index.
  /// - Throws: `DatabaseError` when SQLite has no memory left for it.
  package func define(
    function name: String, arguments: Int32, isDeterministic: Bool = true,
    _ run: @escaping (FunctionCall) -> Void
  ) throws(DatabaseError) {
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    let code = sqlite3_create_function_v2(
      handle, name, arguments, flags, Unmanaged.passRetained(FunctionBody(run)).toOpaque(),
      { context, count, values in
        guard let body = sqlite3_user_data(context), let context, let values else { return }
        Unmanaged<FunctionBody>.fromOpaque(body).takeUnretainedValue()
          .run(
            FunctionCall(
              context: context, arguments: UnsafeBufferPointer(start: values, count: Int(count))))
      }, nil, nil, { if let body = $0 { Unmanaged<FunctionBody>.fromOpaque(body).release() } })
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}

/// What a function does, kept alive by SQLite as long as the function is known.
private final class FunctionBody {
  let run: (FunctionCall) -> Void

  init(_ run: @escaping (FunctionCall) -> Void) {
    self.run = run
  }
}
