#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A database's file and the files beside it, looked at without a connection.
package struct DatabaseFile: Hashable, Sendable {
  /// How changes reach the file.
  package enum Journal: String, Hashable, Sendable {
    /// A rollback journal that is deleted after each transaction.
    case rollback = "delete"
    case wal
  }

  package let path: String
  /// In bytes, like the other two.
  package let size: Int64
  /// As the header says.
  package let journal: Journal
  /// The size of the `-wal` file; nil when there is none.
  package let walSize: Int64?
  /// The size of the `-shm` file; nil when there is none.
  package let sharedMemorySize: Int64?

  /// - Throws: `DatabaseError` for a file that is missing, can't be read, or is not an SQLite database.
  package init(_ path: String) throws(DatabaseError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.error(errno, path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder(path: path) }
    guard access(path, R_OK) == 0 else { throw Self.error(errno, path) }
    guard status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 else {
      throw .emptyFile(path: path)
    }
    let header = try Self.header(of: path, count: Self.headerSize)
    guard header.starts(with: Self.magic) else { throw .notADatabase(path: path) }
    self.path = path
    size = Int64(status.st_size)
    // https://www.sqlite.org/fileformat.html: read version 2 is WAL.
    journal = header[Self.readVersionOffset] == 2 ? .wal : .rollback
    walSize = Self.size(of: "\(path)-wal")
    sharedMemorySize = Self.size(of: "\(path)-shm")
  }

  /// How it is written to now: SQLite goes by a `-wal` rather than by the header.
  package var journalInUse: Journal { walSize == nil ? journal : .wal }

  /// What SQLite takes for a database's own when it lies beside: its `-wal`, its `-shm`, its journal.
  static let companions = ["-wal", "-shm", "-journal"]

  private static let headerSize = 100
  private static let readVersionOffset = 19
  private static let magic = Array("SQLite format 3\0".utf8)

  /// SQLite would open a file that must not be written for reading, and leave a `-wal` and a `-shm`
  /// beside it.
  ///
  /// - Throws: `DatabaseError.readOnly`
  package func requireWritable() throws(DatabaseError) {
    guard access(path, W_OK) != 0 else { return }
    switch errno {
    case EACCES, EPERM, EROFS: throw .readOnly(path: path)
    case let code: throw Self.error(code, path)
    }
  }

  /// Whether two files are, or will be, on one disk; true where the system does not say.
  package static func isSameDisk(_ one: String, _ other: String) -> Bool {
    func device(_ path: String) -> dev_t? {
      let folder = folder(of: path)
      var status = stat()
      return stat(folder.isEmpty ? "." : folder, &status) == 0 ? status.st_dev : nil
    }
    guard let a = device(one), let b = device(other) else { return true }
    return a == b
  }

  /// The part of a path before its last slash, with it; empty for a bare name.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The bytes that may still be written beside a file; nil where the system does not say.
  package static func freeSpace(beside path: String) -> Int64? {
    let folder = folder(of: path)
    var status = statvfs()
    guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Where SQLite puts temporary files (https://www.sqlite.org/tempfiles.html, section 5).
  package static var temporaryFolder: String {
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { (name: String) -> String? in
      guard let value = getenv(name) else { return nil }
      return String(cString: value)
    }
    return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        && access(path, W_OK | X_OK) == 0
    } ?? "."
  }

  package static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  package static func error(_ code: Int32, _ path: String) -> DatabaseError {
    switch code {
    case ENOENT, ENOTDIR: .notFound(path: path)
    case EACCES, EPERM: .noPermission(path: path)
    case EISDIR: .isFolder(path: path)
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EROFS: .readOnly(path: path)
    default: .inputOutput(path: path, message: String(cString: strerror(code)))
    }
  }
}
