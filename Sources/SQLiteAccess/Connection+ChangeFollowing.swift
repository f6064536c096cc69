import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Connection {
  /// Calls `report` after every 10,000 rows that `body` inserts, updates or deletes in `table`, with the number of rows
  /// so far. SQLite itself counts the changed rows of a statement only at its end.
  package func followingChanges<Result>(
    of table: String, _ report: @escaping (Int) -> Void,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let follower = ChangeFollower(table: table, report: report)
    sqlite3_update_hook(
      handle,
      { context, _, database, table, _ in
        guard let context, let database, let table else { return }
        Unmanaged<ChangeFollower>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.note(database, table)
        }
      }, Unmanaged.passUnretained(follower).toOpaque())
    defer { sqlite3_update_hook(handle, nil, nil) }
    return try withExtendedLifetime(follower) { try body() }
  }
}

/// Counts the changed rows of a table for SQLite's update hook.
final class ChangeFollower {
  private var rows = 0
  private let table: [CChar]
  private let report: (Int) -> Void

  private static let interval = 10_000

  init(table: String, report: @escaping (Int) -> Void) {
    self.table = Array(table.utf8CString)
    self.report = report
  }

  /// SQLite's name of the connection's main database. Temporary tables are in the database `temp`.
  private static let store = Array("main".utf8CString)

  fileprivate func note(_ database: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) {
    guard strcmp(table, self.table) == 0, strcmp(database, Self.store) == 0 else { return }
    rows += 1
    guard rows.isMultiple(of: Self.interval) else { return }
    report(rows)
  }
}
