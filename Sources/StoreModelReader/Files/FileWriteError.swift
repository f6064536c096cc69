import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why a file can't be written. Each command names the file and says what it was to become.
package struct FileWriteError: Error, Hashable {
  enum Reason: Hashable {
    case system(Int32)
    case linkLeadsNowhere
  }

  private let cause: Reason

  init(_ cause: Reason) { self.cause = cause }

  init(_ code: Int32) { cause = .system(code) }

  init(_ error: SystemError) { cause = .system(error.code) }

  /// Whether another file has the name.
  package var isTaken: Bool { cause == .system(EEXIST) }

  package var reason: String {
    switch cause {
    case .linkLeadsNowhere: "it is a symbolic link that leads nowhere"
    case .system(EACCES), .system(EPERM): "permission denied"
    case .system(ENOSPC), .system(EDQUOT): "the disk is full"
    case .system(EROFS): "the disk is read-only"
    case .system(ENOENT): "its folder does not exist"
    case .system(EISDIR): "it is a folder"
    case .system(ENOTDIR): "a file has the name of its folder"
    case .system(let code): String(cString: strerror(code))
    }
  }
}
