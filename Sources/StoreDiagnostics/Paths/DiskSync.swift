#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How a program knows that a power cut can't take back what it has written.
package enum DiskSync {
  /// Waits until the disk has the content of an open file, or the names in an open folder.
  ///
  /// On macOS `fsync` returns when the disk's own cache has them. `F_FULLFSYNC` waits until the cache is written; a file
  /// system without that request gets `fsync`. docs/durability.md has the guarantee of each command.
  ///
  /// - Parameters:
  ///   - file: a descriptor.
  ///   - codes: values of `errno` that are no failure: that of a file system, or a pipe, that knows no sync.
  package static func wait(for file: CInt, ignoring codes: Set<CInt> = []) throws(SystemError) {
    guard !isSynced(file), !codes.contains(errno) else { return }
    throw .last
  }

  private static func isSynced(_ file: CInt) -> Bool {
    #if canImport(Darwin)
      if fcntl(file, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(file) == 0
  }
}
