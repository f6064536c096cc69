#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The reason why a system call failed.
package struct SystemError: Error, Hashable, Sendable {
  /// `errno`
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
    case ENOTDIR: "a file has the name of its folder"
    default: String(cString: strerror(code))
    }
  }

  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
