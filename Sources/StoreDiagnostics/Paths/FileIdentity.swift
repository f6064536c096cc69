#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// Which file a path names. Another file may take its place, and a link names the same one.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let number: ino_t

  package init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
  }

  /// Nil where there is no file.
  package init?(of path: FilePath) {
    guard let status = path.status() else { return nil }
    self.init(status)
  }
}
