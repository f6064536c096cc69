package import StoreDiagnostics

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

  package let path: FilePath
  package let stamp: FileStamp
  /// In bytes, like the other two.
  package let size: Int64
  /// As the header says.
  package let journal: Journal
  /// The size of the `-wal` file; nil when there is none.
  package let walSize: Int64?
  /// The size of the `-shm` file; nil when there is none.
  package let sharedMemorySize: Int64?

  /// - Throws: `DatabaseError` for a file that is missing, can't be read, or is not an SQLite database.
  package init(_ path: FilePath) throws(DatabaseError) {
    guard let status = path.status() else { throw Self.error(errno, path) }
    switch FilePath.Kind(status) {
    case .file: break
    case .folder: throw .isFolder(path: path)
    // SQLite waits until a FIFO has a writer.
    case .link, .pipe, .other: throw .notADatabase(path: path)
    }
    guard path.allows(R_OK) else { throw Self.error(errno, path) }
    guard status.st_size > 0 else { throw Self.errorOfEmptyFile(path) }
    let header = try Self.header(of: path, count: Self.headerSize)
    guard header.starts(with: Self.magic) else {
      let beginning = try Self.header(
        of: path, count: min(Int(status.st_size), AtomicStoreType.beginningSize))
      if let type = AtomicStoreType(fileBeginning: beginning) {
        throw .atomicStore(path: path, type)
      }
      throw .notADatabase(path: path)
    }
    self.path = path
    stamp = FileStamp(status)
    size = Int64(status.st_size)
    // https://www.sqlite.org/fileformat.html: read version 2 is WAL.
    journal = header[Self.readVersionOffset] == 2 ? .wal : .rollback
    let file = path.followed
    walSize = Self.size(of: "\(file)-wal")
    sharedMemorySize = Self.size(of: "\(file)-shm")
  }

  private static func errorOfEmptyFile(_ path: FilePath) -> DatabaseError {
    for suffix in ["-wal", "-journal"] {
      let journal: FilePath = "\(path.followed)\(suffix)"
      if journal.kind == .file, let bytes = size(of: journal), bytes > 0 {
        return .emptyBesideJournal(path: path, journal: journal, bytes: bytes)
      }
    }
    return .emptyFile(path: path)
  }

  /// The same file at a time when a later write can't go unnoticed (`FileStamp.isSettled`).
  package func settled() throws(DatabaseError) -> DatabaseFile {
    var file = self
    while file.readOnlyOpening.stamp?.isSettled == false {
      usleep(Self.pause)
      file = try DatabaseFile(path)
    }
    return file
  }

  /// In microseconds.
  private static let pause: UInt32 = 5_000

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
  /// - Throws: `DatabaseError.readOnly`; `inputOutput` where a companion isn't a regular file, such as a FIFO, which
  ///   SQLite would wait for.
  package func requireWritable() throws(DatabaseError) {
    for suffix in Self.companions {
      let companion: FilePath = "\(path.followed)\(suffix)"
      if let kind = companion.kind, kind != .file {
        throw .inputOutput(path: companion, message: "it isn't a regular file")
      }
    }
    guard !path.allows(W_OK) else { return }
    switch errno {
    case EACCES, EPERM, EROFS: throw .readOnly(path: path)
    case let code: throw Self.error(code, path)
    }
  }

  /// Whether two files are, or will be, on one disk; true where the system does not say.
  package static func isSameDisk(_ one: FilePath, _ other: FilePath) -> Bool {
    func device(_ path: FilePath) -> dev_t? {
      path.followed.folder.orHere.status()?.st_dev
    }
    guard let a = device(one), let b = device(other) else { return true }
    return a == b
  }

  /// The bytes that may still be written beside a file; nil where the system does not say. On macOS it doesn't: `statvfs`
  /// leaves out the space of files that macOS removes when room is needed.
  package static func freeSpace(beside path: FilePath) -> Int64? {
    #if canImport(Darwin)
      return nil
    #else
      var status = statvfs()
      guard path.followed.folder.orHere.withCString({ statvfs($0, &status) }) == 0 else {
        return nil
      }
      return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    #endif
  }

  /// Where SQLite puts temporary files (https://www.sqlite.org/tempfiles.html, section 5).
  package static var temporaryFolder: FilePath {
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap(FilePath.init(variable:))
    return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first {
      $0.kind == .folder && $0.allows(W_OK | X_OK)
    } ?? "."
  }

  package static func size(of path: FilePath) -> Int64? {
    path.status().map { Int64($0.st_size) }
  }

  package static func error(_ code: Int32, _ path: FilePath) -> DatabaseError {
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
