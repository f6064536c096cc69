import StoreDiagnostics
import SQLiteAccess

/// The room that VACUUM takes (https://www.sqlite.org/lang_vacuum.html): a copy in a temporary file, and the pages that
/// are written over, or the new ones, beside the store until the end.
struct CompactionSpace {
  /// Bytes of pages that nothing is in.
  let free: Int64
  let needs: [DiskNeed]

  /// - Parameter path: the store's.
  /// - Throws: `DatabaseError`
  init(of path: FilePath, on connection: Connection) throws(DatabaseError) {
    let pageSize = try connection.integer("PRAGMA page_size")
    let all = try connection.byteCount()
    free = try connection.integer("PRAGMA freelist_count") * pageSize
    let live = all - free
    let isLogged = try connection.rows("PRAGMA journal_mode").first?.first?.text == "wal"
    needs = DiskNeed.needs(
      beside: path, (isLogged ? live : all) + Self.smallChange, temporary: live)
  }

  /// For the heads of frames and what the disk itself notes.
  private static let smallChange: Int64 = 1 << 16
}
