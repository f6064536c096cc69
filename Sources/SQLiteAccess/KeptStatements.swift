import CSQLite

/// A connection's cache of prepared statements. It contains the most recently used statements that aren't in use, by
/// their text.
///
/// SQLite itself compiles a statement again if the schema, the authorizer or the functions have changed before it runs.
final class KeptStatements {
  private struct Idle {
    var handle: OpaquePointer
    var lastUse: Int
  }

  /// The maximum number of cached statements. A statement takes about 10 KB.
  static let limit = 64

  private var idle: [String: Idle] = [:]
  private var useCount = 0
  private var isClosed = false

  deinit { finalizeAll() }

  var count: Int { idle.count }

  /// Removes the statement with this text from the cache and returns it, or returns nil if it isn't cached.
  func take(_ text: String) -> OpaquePointer? {
    idle.removeValue(forKey: text)?.handle
  }

  func put(_ handle: OpaquePointer, _ text: String) {
    // The code is the error of the statement's last run, which was already thrown. A failed statement isn't cached.
    let code = sqlite3_reset(handle)
    guard code == SQLITE_OK, !isClosed, idle[text] == nil else {
      sqlite3_finalize(handle)
      return
    }
    // The bound values can be large, so they are released.
    sqlite3_clear_bindings(handle)
    useCount += 1
    idle[text] = Idle(handle: handle, lastUse: useCount)
    guard idle.count > Self.limit,
      let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    idle[oldest.key] = nil
    sqlite3_finalize(oldest.value.handle)
  }

  /// Finalizes all statements and stops caching, because SQLite can't close a connection with prepared statements.
  func close() {
    isClosed = true
    finalizeAll()
  }

  private func finalizeAll() {
    for statement in idle.values { sqlite3_finalize(statement.handle) }
    idle = [:]
  }
}
