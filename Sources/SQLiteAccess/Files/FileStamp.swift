package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which file a path names, and when that was written last. Another stamp means that the file was written or replaced.
package struct FileStamp: Hashable, Sendable {
  private let file: FileIdentity
  private let size: Int64
  private let modified: FileStatus.Time

  package init(_ status: FileStatus) {
    (file, size, modified) = (status.identity, status.size, status.modified)
  }

  /// Nil where there is no file.
  package init?(of path: FilePath) {
    guard let status = path.status() else { return nil }
    self.init(status)
  }

  /// Whether a write from now on gets another time.
  ///
  /// A system takes the time of a write from a clock that moves every few milliseconds.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // In seconds. Some file systems have times that are too far away for a number of nanoseconds.
    let age =
      Double(now.tv_sec) - Double(modified.seconds)
      + Double(now.tv_nsec - modified.nanoseconds) / 1_000_000_000
    // A time in the future says nothing about later writes.
    return age > Self.tick || age < 0
  }

  /// In seconds.
  private static let tick = 0.02
}
