import GRDBSQLite
import Synchronization

/// Counts the SELECT statements that SQLite runs on all connections opened after `begin`.
enum StatementCount {
  private static let selects = Atomic(0)

  static var count: Int { selects.load(ordering: .relaxed) }

  static func begin() {
    let opened: Opened = { connection, _, _ in
      sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), StatementCount.note, nil)
    }
    // The type in the header differs from the type of the function that SQLite calls.
    _ = sqlite3_auto_extension(unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
  }

  private typealias Opened =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> CInt

  private static let note:
    @convention(c) (
      UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> CInt = { _, _, statement, _ in
      guard let text = sqlite3_sql(statement.map { OpaquePointer($0) }) else { return 0 }
      if String(cString: text).hasPrefix("SELECT") {
        StatementCount.selects.add(1, ordering: .relaxed)
      }
      return 0
    }
}
