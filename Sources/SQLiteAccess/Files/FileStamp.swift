package import StoreDiagnostics

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

  /// Returns whether a write from now on gets another time of modification.
  ///
  /// A system takes the time of a write from a clock that moves every few milliseconds.
  func isSettled(now: FileStatus.Time = .now) -> Bool {
    // In seconds. Some file systems have times that are too far away for a number of nanoseconds.
    let age =
      Double(now.seconds) - Double(modified.seconds)
      + Double(now.nanoseconds - modified.nanoseconds) / 1_000_000_000
    // A time in the future says nothing about later writes.
    return age > Self.tick || age < 0
  }

  /// In seconds.
  private static let tick = 0.02
}
