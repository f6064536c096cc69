import StoreDiagnostics
import Foundation

/// Which file a path names: another one may take its place while a store is open.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }

  /// Nil where there is none.
  init?(of path: FilePath) {
    guard let status = path.status() else { return nil }
    self.init(status)
  }
}
