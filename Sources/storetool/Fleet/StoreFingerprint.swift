import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whether a store may have been changed: sizes and times of its files. An equal one means that nothing was written.
enum StoreFingerprint {
  /// The `-shm` changes when a store is only read.
  private static let suffixes = ["", "-wal", "-journal"]

  static func of(_ path: FilePath) -> String {
    let file = path.followed
    return suffixes.map { part(of: "\(file)\($0)") }.joined(separator: " ")
  }

  private static func part(of path: FilePath) -> String {
    guard let facts = path.status(), facts.st_size > 0 else { return "-" }
    #if canImport(Darwin)
      let time = facts.st_mtimespec
    #else
      let time = facts.st_mtim
    #endif
    return "\(facts.st_ino):\(facts.st_size):\(time.tv_sec).\(time.tv_nsec)"
  }
}
