import CSQLite

/// Prepared statements of one connection that nothing is at work with, by their text: the ones that were used last.
///
/// Who takes one has it alone. SQLite itself compiles a statement anew when it is run and the schema, the authorizer or
/// the functions have changed since.
final class KeptStatements {
  private struct Idle {
    var handle: OpaquePointer
    var lastUse: Int
  }

  /// A statement takes some 10 KB.
  static let limit = 64

  private var idle: [String: Idle] = [:]
  private var useCount = 0
  private var isClosed = false

  deinit { finalizeAll() }

  var count: Int { idle.count }

  /// Nil where there is none, or another one is at work with it.
  func take(_ text: String) -> OpaquePointer? {
    idle.removeValue(forKey: text)?.handle
  }

  func put(_ handle: OpaquePointer, _ text: String) {
    // One that has failed is not run again. The code repeats its error, which was thrown there.
    let code = sqlite3_reset(handle)
    guard code == SQLITE_OK, !isClosed, idle[text] == nil else {
      sqlite3_finalize(handle)
      return
    }
    // Values may be large.
    sqlite3_clear_bindings(handle)
    useCount += 1
    idle[text] = Idle(handle: handle, lastUse: useCount)
    guard idle.count > Self.limit,
      let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    idle[oldest.key] = nil
    sqlite3_finalize(oldest.value.handle)
  }

  /// None is kept from here on: a connection with statements can't be closed.
  func close() {
    isClosed = true
    finalizeAll()
  }

  private func finalizeAll() {
    for statement in idle.values { sqlite3_finalize(statement.handle) }
    idle = [:]
  }
}
