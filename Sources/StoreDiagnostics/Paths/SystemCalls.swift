#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// The reason why a system call failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The `errno`.
  package let code: CInt

  package init(code: CInt) { self.code = code }

  /// The error of the call that has just failed.
  package static var last: SystemError { SystemError(code: errno) }

  package var reason: String {
    switch code {
    case EACCES, EPERM: "permission denied"
    case ENOSPC, EDQUOT: "the disk is full"
    case EROFS: "the disk is read-only"
    case EISDIR: "it is a folder"
    case EPIPE: "no program writes to this pipe"
    case ENOTDIR: "a part of its path is a file, not a folder"
    default: message
    }
  }

  /// The message of the system.
  package var message: String { String(cString: strerror(code)) }

  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

package enum SystemCall {
  /// Repeats a system call until no signal interrupts it.
  ///
  /// - Returns: the result of the call. If it is negative, `SystemError.last` is the reason.
  package static func uninterrupted<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// The size of a memory page in bytes: 4,096 on x86, 16,384 on Apple silicon.
  package static let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
}

/// An open file, folder or stream, which is closed when this object is released.
package final class OpenFile: Sendable {
  package let descriptor: CInt

  /// - Parameter descriptor: the descriptor, which this object closes.
  package init(descriptor: CInt) { self.descriptor = descriptor }

  /// Opens a file.
  ///
  /// A FIFO is opened for reading without waiting for a writer. `read` returns no bytes until a program opens it for
  /// writing, and throws `EAGAIN` until that program writes bytes.
  ///
  /// - Parameters:
  ///   - flags: the flags of `open(2)`. `O_CLOEXEC` is added, which closes the descriptor in child processes.
  ///   - folder: the folder of a relative path, or nil for the working directory.
  package convenience init(
    _ path: LocalPath, _ flags: CInt, mode: mode_t = 0o644, in folder: OpenFile? = nil
  ) throws(SystemError) {
    let waits: CInt = flags & O_ACCMODE == O_RDONLY ? O_NONBLOCK : 0
    let descriptor = path.withCString {
      openat(folder?.descriptor ?? AT_FDCWD, $0, flags | waits | O_CLOEXEC, mode)
    }
    guard descriptor >= 0 else { throw .last }
    self.init(descriptor: descriptor)
  }

  deinit { close(descriptor) }

  package static let standardInput = OpenFile(descriptor: STDIN_FILENO)
  package static let standardOutput = OpenFile(descriptor: STDOUT_FILENO)
  package static let standardError = OpenFile(descriptor: STDERR_FILENO)

  /// Returns the same file with another descriptor, which is closed in child processes.
  ///
  /// - Parameter lowest: the minimum number of the descriptor.
  package func duplicate(from lowest: CInt) throws(SystemError) -> OpenFile {
    let descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest)
    guard descriptor >= 0 else { throw .last }
    return OpenFile(descriptor: descriptor)
  }

  /// Redirects the descriptor of `other` to this file with `dup2(2)`.
  package func replace(_ other: OpenFile) { dup2(descriptor, other.descriptor) }

  // MARK: Content

  /// - Returns: the number of bytes that were read, or 0 at the end of the file.
  package func read(into space: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let count = SystemCall.uninterrupted { systemRead(descriptor, space.baseAddress, space.count) }
    guard count >= 0 else { throw .last }
    return count
  }

  /// - Returns: at least one byte, or an empty array at the end of the file.
  package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { space, initialized in
      count = SystemCall.uninterrupted { systemRead(descriptor, space.baseAddress, limit) }
      initialized = max(count, 0)
    }
    guard count >= 0 else { throw .last }
    return bytes
  }

  /// Writes all bytes. Waits while a pipe is full, even if another process has set it to non-blocking mode.
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      do {
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(try writeOnce(rest)))
      } catch {
        guard error.code == EAGAIN else { throw error }
        _ = Self.wait(for: POLLOUT, in: [self], milliseconds: -1)
      }
    }
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { all throws(SystemError) in try write(all) }
  }

  /// Writes with one system call, so that the bytes of several processes aren't mixed.
  ///
  /// - Returns: the number of written bytes, which may be less than the number of bytes.
  package func writeOnce(_ bytes: UnsafeBufferPointer<UInt8>) throws(SystemError) -> Int {
    let count = SystemCall.uninterrupted { systemWrite(descriptor, bytes.baseAddress, bytes.count) }
    guard count >= 0 else { throw .last }
    return count
  }

  /// Syncs the content of a file, or the names in a folder, to disk, so that they survive a power cut.
  ///
  /// On macOS, `fsync` only writes to the disk's own cache. `F_FULLFSYNC` also waits until that cache is written. If
  /// `F_FULLFSYNC` fails, `fsync` is used. docs/durability.md lists the guarantee of each command.
  ///
  /// - Parameter codes: values of `errno` that aren't errors, because a pipe or a file system doesn't support syncs.
  package func sync(ignoring codes: Set<CInt> = []) throws(SystemError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) != 0, !codes.contains(errno) else { return }
    throw .last
  }

  // MARK: Waiting

  /// Waits until a pipe has bytes, or its writer closes it.
  ///
  /// - Parameter cancellation: the flag that ends the wait. It is checked ten times a second, because a signal
  ///   interrupts only one thread, which may be another one.
  package func waitForBytes(_ cancellation: Cancellation) throws(Cancelled) {
    repeat { try cancellation.check() } while !Self.waitForBytes(in: [self], milliseconds: 100)
  }

  /// Waits until one of several pipes has bytes, or its writer closes it.
  ///
  /// - Parameter milliseconds: the time limit. With a negative number, the time isn't limited.
  /// - Returns: false after the time limit.
  package static func waitForBytes(in files: [OpenFile], milliseconds: CInt) -> Bool {
    wait(for: POLLIN, in: files, milliseconds: milliseconds)
  }

  private static func wait(for event: CInt, in files: [OpenFile], milliseconds: CInt) -> Bool {
    var requests = files.map { pollfd(fd: $0.descriptor, events: Int16(event), revents: 0) }
    return SystemCall.uninterrupted { poll(&requests, nfds_t(requests.count), milliseconds) } != 0
  }

  /// Locks or unlocks the file with `flock(2)`. The lock ends when the file is closed or the process ends.
  ///
  /// - Parameter operation: the operation of `flock(2)`.
  /// - Returns: whether the file was locked or unlocked.
  @discardableResult
  package func lock(_ operation: CInt) -> Bool {
    SystemCall.uninterrupted { flock(descriptor, operation) } == 0
  }
}

private func systemRead(_ file: CInt, _ space: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, space, count)
}

private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}

/// The properties of a file, independent of the platform.
package struct FileStatus: Hashable, Sendable {
  package let kind: LocalPath.Kind
  /// The size in bytes.
  package let size: Int64
  /// The permissions, with the set-user-ID, set-group-ID and sticky bits.
  package let mode: mode_t
  package let owner: uid_t
  package let group: gid_t
  package let identity: FileIdentity
  /// The time of the last write.
  package let modified: Time
  /// The time of the last change of the content or of the other properties.
  package let changed: Time

  /// A time, as a period since 1970-01-01 00:00 UTC.
  package struct Time: Hashable, Sendable {
    package let seconds: Int
    package let nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int) {
      (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    fileprivate init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }

    /// The current time of the system's clock.
    package static var now: Time {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Time(now)
    }
  }

  /// Reads the properties of an open file. If the result is nil, `SystemError.last` is the reason.
  package init?(of file: OpenFile) {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the properties of the file at a path. If the result is nil, `SystemError.last` is the reason.
  ///
  /// - Parameters:
  ///   - followsLinks: whether to follow a symbolic link.
  ///   - folder: the folder of a relative path, or nil for the working directory.
  package init?(of path: LocalPath, followsLinks: Bool = true, in folder: OpenFile? = nil) {
    var status = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    let code = path.withCString {
      fstatat(folder?.descriptor ?? AT_FDCWD, $0, &status, flags)
    }
    guard code == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = LocalPath.Kind(status.st_mode)
    size = Int64(status.st_size)
    mode = status.st_mode & 0o7777
    (owner, group) = (status.st_uid, status.st_gid)
    identity = FileIdentity(device: status.st_dev, number: UInt64(status.st_ino))
    #if canImport(Darwin)
      (modified, changed) = (Time(status.st_mtimespec), Time(status.st_ctimespec))
    #else
      (modified, changed) = (Time(status.st_mtim), Time(status.st_ctim))
    #endif
  }
}

/// The identity of a file, which doesn't depend on its path. All hard links to a file have the same identity. If
/// another file replaces the file at its path, the identity at that path changes.
package struct FileIdentity: Hashable, Sendable {
  package let device: dev_t
  /// The number of the inode.
  package let number: UInt64

  fileprivate init(device: dev_t, number: UInt64) { (self.device, self.number) = (device, number) }

  /// Reads the identity of the file at a path. Links are followed. Returns nil if the file doesn't exist or isn't
  /// accessible.
  package init?(of path: LocalPath) {
    guard let status = path.status() else { return nil }
    self = status.identity
  }
}

extension LocalPath {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable {
    case file
    case folder
    case link
    case pipe
    /// A device or a socket.
    case other

    fileprivate init(_ mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      case S_IFIFO: self = .pipe
      default: self = .other
      }
    }
  }
}
