package import StoreDiagnostics
import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension DatabaseFile {
  /// The first bytes of a file, read through SQLite's own way to files.
  ///
  /// The system drops all locks that a process holds on a file as soon as any of its descriptors for it
  /// is closed. After an `open` and `close` of ours, another process would take itself for the last one
  /// that has the store open, and remove the `-wal` under our connections: what they write then is lost
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2). SQLite keeps its descriptors open as long as it has
  /// locks.
  ///
  /// - Throws: `DatabaseError`, `notADatabase` for a file with fewer bytes.
  package static func header(of path: FilePath, count: Int) throws(DatabaseError) -> [UInt8] {
    guard let vfs = sqlite3_vfs_find(nil), let open = vfs.pointee.xOpen else {
      throw .inputOutput(path: path, message: "SQLite has no way to files")
    }
    // SQLite follows no link here.
    guard let target = path.resolved else { throw error(errno, path) }
    guard let name = target.withCString({ sqlite3_create_filename($0, "", "", 0, nil) }) else {
      throw .inputOutput(path: path, message: "out of memory")
    }
    defer { sqlite3_free_filename(name) }
    let size = Int(vfs.pointee.szOsFile)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    defer { memory.deallocate() }
    let file = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
    let code = open(vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nil)
    guard code == SQLITE_OK, let methods = file.pointee.pMethods?.pointee else {
      throw .inputOutput(path: path, message: "it can't be opened")
    }
    defer { _ = methods.xClose?(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard methods.xRead?(file, &bytes, CInt(count), 0) == SQLITE_OK else {
      throw .notADatabase(path: path)
    }
    return bytes
  }
}
