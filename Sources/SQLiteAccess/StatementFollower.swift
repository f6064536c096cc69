import CSQLite

/// Tells of each statement that a connection has run.
///
/// Where nobody follows, SQLite calls nothing.
package final class StatementFollower {
  package struct Statement {
    /// With `?1`, `?2` … for its values.
    package let sql: String
    /// With the values in their places; nil unless they were asked for.
    package let expandedSQL: String?
    package let duration: Duration
  }

  /// Who is told now.
  package var told: ((Statement) -> Void)?
  private let showsValues: Bool
  private var begins: [OpaquePointer: ContinuousClock.Instant] = [:]

  init(showsValues: Bool) { self.showsValues = showsValues }

  /// The object has to live as long as the connection.
  func register(on handle: OpaquePointer) {
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        Unmanaged<StatementFollower>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.note(CInt(event), OpaquePointer(statement), detail)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ event: CInt, _ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
    guard let told else { return }
    if event == SQLITE_TRACE_STMT {
      // A trigger begins with the statement that fires it, under the text "-- TRIGGER name".
      let text = detail?.assumingMemoryBound(to: CChar.self)
      guard text?.pointee != CChar(UInt8(ascii: "-")) else { return }
      begins[statement] = .now
      return
    }
    guard let begin = begins.removeValue(forKey: statement), let sql = sqlite3_sql(statement) else {
      return
    }
    var expanded: String?
    if showsValues, let text = sqlite3_expanded_sql(statement) {
      expanded = String(cString: text)
      sqlite3_free(text)
    }
    told(
      Statement(sql: String(cString: sql), expandedSQL: expanded, duration: .now - begin))
  }
}
