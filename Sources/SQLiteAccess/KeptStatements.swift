import CSQLite

/// The prepared statements of a connection that aren't in use, by their text: the most recently used ones.
///
/// A statement that is taken isn't shared. SQLite itself compiles a statement again if the schema, the authorizer or
/// the functions have changed before it runs.
final class KeptStatements {
  private struct Idle {
    var handle: OpaquePointer
    var lastUse: Int
  }

  /// The maximum number. A statement takes about 10 KB.
  static let limit = 64

  private var idle: [String: Idle] = [:]
  private var useCount = 0
  private var isClosed = false

  deinit { finalizeAll() }

  var count: Int { idle.count }

  /// Returns nil if there is none, or if it is in use.
  func take(_ text: String) -> OpaquePointer? {
    idle.removeValue(forKey: text)?.handle
  }

  func put(_ handle: OpaquePointer, _ text: String) {
    // A statement that failed isn't used again. The code repeats its error, which was already thrown.
    let code = sqlite3_reset(handle)
    guard code == SQLITE_OK, !isClosed, idle[text] == nil else {
      sqlite3_finalize(handle)
      return
    }
    // The values can be large.
    sqlite3_clear_bindings(handle)
    useCount += 1
    idle[text] = Idle(handle: handle, lastUse: useCount)
    guard idle.count > Self.limit,
      let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    idle[oldest.key] = nil
    sqlite3_finalize(oldest.value.handle)
  }

  /// Discards all statements and stops caching, because a connection with statements can't be closed.
  func close() {
    isClosed = true
    finalizeAll()
  }

  private func finalizeAll() {
    for statement in idle.values { sqlite3_finalize(statement.handle) }
    idle = [:]
  }
}
