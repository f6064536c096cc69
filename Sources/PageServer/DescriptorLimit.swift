#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How many descriptors this process may have open.
enum DescriptorLimit {
  /// Raises the limit as far as the system lets it, since macOS begins with 256.
  ///
  /// - Returns: the limit from then on.
  static func raise(to wanted: Int) -> Int {
    #if canImport(Glibc)
      let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let descriptors = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0 else { return 256 }
    let before = limit.rlim_cur
    guard before < rlim_t(wanted) else { return wanted }
    limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
    return Int(setrlimit(descriptors, &limit) == 0 ? limit.rlim_cur : before)
  }
}
