package import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension VersionLock {
  /// Puts the file in its place as a whole; makes its folder where there is none.
  package func write() throws(VersionLockError) {
    do {
      let folder = ModelPath.folder(of: path)
      if !folder.isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      }
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .unwritable(path, reason: "\((error as? CocoaError)?.reason ?? "\(error)")")
    }
  }
}

/// Why a lock file can't be written.
package enum VersionLockError: DiagnosableError, Hashable {
  case unwritable(String, reason: String)

  package var diagnostics: [Diagnostic] {
    switch self {
    case .unwritable(let path, let reason):
      [
        Diagnostic(
          .error, "lock.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput)
      ]
    }
  }
}

extension CocoaError {
  fileprivate var reason: String? {
    switch code {
    case .fileWriteNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "a file is in the way of its folder"
    default: nil
    }
  }
}
