#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock on a file that is being made (flock(2)). It ends with the process, so that a file nobody locks was abandoned.
///
/// SQLite's own locks are of another kind (fcntl(2)).
package final class DraftLock: Sendable {
  private let descriptor: CInt

  /// - Parameter descriptor: an open file, which is closed when the lock is released; negative for none.
  package init(_ descriptor: CInt) {
    self.descriptor = descriptor
    guard descriptor >= 0 else { return }
    _ = flock(descriptor, LOCK_SH | LOCK_NB)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether no process locks the file.
  package static func isFree(_ file: FilePath) -> Bool {
    let descriptor = file.descriptor(O_RDONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
