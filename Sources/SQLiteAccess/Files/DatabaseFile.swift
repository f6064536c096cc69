import CSQLite
package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of a database and its companion files, read without a connection.
package struct DatabaseFile: Hashable, Sendable {
  /// The journal mode, which determines how SQLite writes changes.
  package enum Journal: String, Hashable, Sendable {
    /// A rollback journal, which SQLite deletes after each transaction by default.
    case rollback = "delete"
    case wal
  }

  package let path: LocalPath
  package let stamp: FileStamp
  /// The size of the database file in bytes.
  package let size: Int64
  /// The journal mode in the header of the file.
  package let journal: Journal
  /// The size of the `-wal` file in bytes, or nil if it doesn't exist.
  package let walSize: Int64?
  /// The size of the `-shm` file in bytes, or nil if it doesn't exist.
  package let sharedMemorySize: Int64?

  /// - Throws: `DatabaseError` for a file that is missing, can't be read, or is not an SQLite database.
  package init(_ path: LocalPath) throws(DatabaseError) {
    guard let status = path.status() else { throw Self.error(.last, path) }
    switch status.kind {
    case .file: break
    case .folder: throw .isFolder(path: path)
    // Opening a FIFO would wait until another process writes to it.
    case .link, .pipe, .other: throw .notADatabase(path: path)
    }
    guard path.allows(R_OK) else { throw Self.error(.last, path) }
    guard status.size > 0 else { throw Self.errorOfEmptyFile(path) }
    let header = try Self.header(of: path, count: Self.headerSize)
    guard header.starts(with: Self.magic) else {
      let beginning = try Self.header(
        of: path, count: min(Int(status.size), AtomicStoreType.beginningSize))
      if let type = AtomicStoreType(fileBeginning: beginning) {
        throw .atomicStore(path: path, type)
      }
      throw .notADatabase(path: path)
    }
    self.path = path
    stamp = FileStamp(status)
    size = status.size
    // https://www.sqlite.org/fileformat.html: read version 2 is WAL.
    journal = header[Self.readVersionOffset] == 2 ? .wal : .rollback
    let file = path.followed
    walSize = Self.size(of: "\(file)-wal")
    sharedMemorySize = Self.size(of: "\(file)-shm")
  }

  private static func errorOfEmptyFile(_ path: LocalPath) -> DatabaseError {
    for suffix in ["-wal", "-journal"] {
      let journal: LocalPath = "\(path.followed)\(suffix)"
      if journal.kind == .file, let bytes = size(of: journal), bytes > 0 {
        return .emptyBesideJournal(path: path, journal: journal, bytes: bytes)
      }
    }
    return .emptyFile(path: path)
  }

  /// Waits until each later write is certain to change the stamp (`FileStamp.isSettled`), and returns the file with its
  /// current stamp. A file that SQLite locks for reading is returned immediately.
  package func settled() throws(DatabaseError) -> DatabaseFile {
    var file = self
    while file.readOnlyOpening.stamp?.isSettled() == false {
      usleep(Self.pause)
      file = try DatabaseFile(path)
    }
    return file
  }

  /// Waits a moment for the process that is creating or removing companion files, and returns the settled file.
  package func afterPause() throws(DatabaseError) -> DatabaseFile {
    usleep(Self.pause)
    return try DatabaseFile(path).settled()
  }

  /// The pause between two checks of the file, in microseconds.
  private static let pause: UInt32 = 5_000

  /// The current mode. SQLite uses a `-wal` if it exists, regardless of the header.
  package var journalInUse: Journal { walSize == nil ? journal : .wal }

  /// The suffixes of the companion files that SQLite uses.
  static let companions = ["-wal", "-shm", "-journal"]

  private static let headerSize = 100
  private static let readVersionOffset = 19
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Checks whether the file can be written. SQLite would open a write-protected file for reading instead, and leave a
  /// `-wal` and a `-shm`.
  ///
  /// - Throws: `DatabaseError.readOnly` for a write-protected file; `inputOutput` if a companion file isn't a regular
  ///   file (SQLite would wait for the writer of a FIFO); another `DatabaseError` if the file can't be accessed.
  package func requireWritable() throws(DatabaseError) {
    for suffix in Self.companions {
      let companion: LocalPath = "\(path.followed)\(suffix)"
      if let kind = companion.kind, kind != .file {
        throw .inputOutput(path: companion, message: "it isn't a regular file")
      }
    }
    guard !path.allows(W_OK) else { return }
    let error = SystemError.last
    throw [EACCES, EPERM, EROFS].contains(error.code)
      ? .readOnly(path: path) : Self.error(error, path)
  }

  /// Returns whether two files, which don't need to exist, are on the same disk. Returns true if the system doesn't
  /// report the disks.
  package static func isSameDisk(_ one: LocalPath, _ other: LocalPath) -> Bool {
    func device(_ path: LocalPath) -> dev_t? {
      path.followed.folder.orHere.status()?.identity.device
    }
    guard let a = device(one), let b = device(other) else { return true }
    return a == b
  }

  /// Returns the available bytes on the disk of a file, or nil if they are unknown. On macOS, they are always unknown,
  /// because `statvfs` doesn't include the space of files that macOS removes when space is required.
  package static func freeSpace(beside path: LocalPath) -> Int64? {
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

  /// The folder of SQLite's temporary files (https://www.sqlite.org/tempfiles.html, section 5).
  package static var temporaryFolder: LocalPath {
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap(LocalPath.init(variable:))
    return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first {
      $0.kind == .folder && $0.allows(W_OK | X_OK)
    } ?? "."
  }

  package static func size(of path: LocalPath) -> Int64? { path.status()?.size }

  package static func error(_ error: SystemError, _ path: LocalPath) -> DatabaseError {
    switch error.code {
    case ENOENT, ENOTDIR: .notFound(path: path)
    case EACCES, EPERM: .noPermission(path: path)
    case EISDIR: .isFolder(path: path)
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EROFS: .readOnly(path: path)
    default: .inputOutput(path: path, message: error.message)
    }
  }
}

/// Core Data's types of stores without tables, which are read and written as a whole.
package enum AtomicStoreType: String, Hashable, Sendable {
  case xml
  /// A file with a keyed archive, whose header Apple doesn't document.
  case binary

  /// The number of bytes at the start of a file that are sufficient to detect the type.
  package static let beginningSize = 512

  /// - Parameter bytes: the start of a file that isn't an SQLite database.
  package init?(fileBeginning bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("<?xml") || text.hasPrefix("<database>"),
      text.contains("<databaseInfo>") || text.contains("CoreData.dtd")
    {
      self = .xml
    } else if text.contains("bplist00") {
      self = .binary
    } else {
      return nil
    }
  }
}

extension DatabaseFile {
  /// Returns the first bytes of a file, read through SQLite's VFS.
  ///
  /// The system releases all locks of a process on a file when any of its descriptors is closed. If storetool opened
  /// and closed the file itself, another process could treat itself as the last one with the store open, and remove the
  /// `-wal` of this process's connections, whose later writes would be lost (https://www.sqlite.org/howtocorrupt.html,
  /// 2.2). SQLite keeps its descriptors open as long as it has locks.
  ///
  /// - Throws: `DatabaseError`, such as `notADatabase` if SQLite can't read `count` bytes.
  package static func header(of path: LocalPath, count: Int) throws(DatabaseError) -> [UInt8] {
    guard let vfs = sqlite3_vfs_find(nil), let open = vfs.pointee.xOpen else {
      throw .inputOutput(path: path, message: "SQLite has no VFS")
    }
    // SQLite follows symbolic links before it calls `xOpen`, so this function must do the same.
    guard let target = path.resolved else { throw error(.last, path) }
    guard let name = target.withCString({ sqlite3_create_filename($0, "", "", 0, nil) }) else {
      throw .inputOutput(path: path, message: "out of memory")
    }
    defer { sqlite3_free_filename(name) }
    let file = WrappedFile(handleSize: Int(vfs.pointee.szOsFile))
    let code = open(vfs, name, file.original, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nil)
    guard code == SQLITE_OK, let methods = file.original.pointee.pMethods?.pointee else {
      throw .inputOutput(path: path, message: "it can't be opened")
    }
    defer { file.close() }
    var bytes = [UInt8](repeating: 0, count: count)
    guard methods.xRead?(file.original, &bytes, CInt(count), 0) == SQLITE_OK else {
      throw .notADatabase(path: path)
    }
    return bytes
  }
}

extension DatabaseFile {
  /// The parameters for opening the file with SQLite.
  package struct Opening: Hashable {
    /// A `file:` name with SQLite's parameters: https://www.sqlite.org/uri.html.
    package var uri: String
    /// Whether SQLite keeps the index of the `-wal` in memory instead of in a `-shm` file.
    package var isExclusive = false
    /// Whether the file is read through `ReadAheadVFS`.
    package var isReadAhead = false
    /// The stamp that the file must still have after reading without locks, or nil if SQLite locks the file.
    package var stamp: FileStamp?

    package init(
      uri: String, isExclusive: Bool = false, isReadAhead: Bool = false, stamp: FileStamp? = nil
    ) {
      self.uri = uri
      self.isExclusive = isExclusive
      self.isReadAhead = isReadAhead
      self.stamp = stamp
    }

    /// Whether the connection sees what other connections write later.
    package var seesLaterWrites: Bool { !isReadAhead && !isExclusive }
  }

  /// The parameters for reading the file, including the rows in its `-wal`, without changing or creating files.
  ///
  /// In WAL mode, a normal read-only connection would create a `-wal` and a `-shm`. With `immutable`, the rows in a
  /// `-wal` would be missing (docs/formats/store-layout.md, "Reading without a trace").
  package var readOnlyOpening: Opening {
    switch (walSize, sharedMemorySize) {
    // SQLite uses a -wal if it exists, so the journal mode in the header matters only without a -wal.
    case (nil, _) where journal == .rollback: Opening(uri: uri(["mode=ro"]))
    case (nil, _), (0, nil): unchangingOpening
    case (_?, _?): Opening(uri: uri(["mode=ro", "readonly_shm=1"]))
    case (_?, nil):
      // A writer replaces rows in the -wal only after it has copied them to the file, which changes the stamp.
      Opening(uri: uri(["mode=ro", "vfs=unix-none"]), isExclusive: true, stamp: stamp)
    }
  }

  /// The parameters for reading a file that no process writes to, without its companion files.
  package var unchangingOpening: Opening {
    Opening(uri: uri(["immutable=1", "vfs=\(ReadAheadVFS.name)"]), isReadAhead: true, stamp: stamp)
  }

  /// The parameters for writing the file, without creating it.
  package var writableOpening: Opening {
    Opening(uri: uri(["mode=rw", "vfs=\(WriteGatheringVFS.name)"]))
  }

  private func uri(_ parameters: [String]) -> String {
    Self.uri(path, parameters)
  }

  package static func uri(_ path: LocalPath, _ parameters: [String]) -> String {
    "file:\(percentEncoded(path))?\(parameters.joined(separator: "&"))"
  }

  /// Escapes all characters except letters, digits, `/`, `.`, `_` and `-`, so that `?`, `#` and `%` remain a part of
  /// the name.
  private static func percentEncoded(_ path: LocalPath) -> String {
    let digits = Array("0123456789ABCDEF")
    // A relative path that begins with two slashes would be parsed as a host.
    let rooted: LocalPath = path.hasPrefix("//") ? "/.\(path.dropFirst())" : path
    return rooted.bytes.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }.joined()
  }
}
