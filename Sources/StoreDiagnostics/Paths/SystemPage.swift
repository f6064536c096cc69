#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A page of the system's memory.
package enum SystemPage {
  /// In bytes: 4,096 on x86, 16,384 on Apple silicon.
  package static let size = Int(sysconf(CInt(_SC_PAGESIZE)))
}
