package import StoreDiagnostics

/// The identity, the size and the modification time of a file. A different stamp means that the file was changed or
/// replaced.
package struct FileStamp: Hashable, Sendable {
  private let file: FileIdentity
  private let size: Int64
  private let modified: FileStatus.Time

  package init(_ status: FileStatus) {
    (file, size, modified) = (status.identity, status.size, status.modified)
  }

  /// Creates the stamp of a file, or nil if the file can't be accessed.
  package init?(of path: LocalPath) {
    guard let status = path.status() else { return nil }
    self.init(status)
  }

  /// Returns true if each later write will change the time of modification, or if waiting for that is useless.
  ///
  /// The system's clock for these times advances only every few milliseconds, so a second write shortly after the first
  /// one can leave the time unchanged.
  func isSettled(now: FileStatus.Time = .now) -> Bool {
    // Uses seconds, because the extreme times of some file systems would overflow as nanoseconds.
    let age =
      Double(now.seconds) - Double(modified.seconds)
      + Double(now.nanoseconds - modified.nanoseconds) / 1_000_000_000
    // A time in the future can't detect later writes, so waiting wouldn't help.
    return age > Self.tick || age < 0
  }

  /// The age after which the clock has certainly advanced, in seconds.
  private static let tick = 0.02
}
