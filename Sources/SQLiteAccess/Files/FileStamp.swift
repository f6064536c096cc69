package import StoreDiagnostics

/// The identity of a file and the time of its last write. Another stamp means that the file was written or replaced.
package struct FileStamp: Hashable, Sendable {
  private let file: FileIdentity
  private let size: Int64
  private let modified: FileStatus.Time

  package init(_ status: FileStatus) {
    (file, size, modified) = (status.identity, status.size, status.modified)
  }

  /// Nil if the file doesn't exist.
  package init?(of path: FilePath) {
    guard let status = path.status() else { return nil }
    self.init(status)
  }

  /// Returns whether a write from now on changes the time of modification.
  ///
  /// The system's clock for these times advances every few milliseconds.
  func isSettled(now: FileStatus.Time = .now) -> Bool {
    // In seconds, because some file systems have times that are too far away for nanoseconds.
    let age =
      Double(now.seconds) - Double(modified.seconds)
      + Double(now.nanoseconds - modified.nanoseconds) / 1_000_000_000
    // A time in the future can't detect later writes.
    return age > Self.tick || age < 0
  }

  /// In seconds.
  private static let tick = 0.02
}
