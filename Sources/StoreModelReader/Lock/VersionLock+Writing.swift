package import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension VersionLock {
  /// Puts the file in its place as a whole; makes its folder where there is none.
  package func write() throws(VersionLockError) {
    let folder = ModelPath.folder(of: path)
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      }
    } catch {
      throw .unwritable(
        path, reason: (error as? CocoaError)?.reason ?? "its folder can't be made")
    }
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .unwritable(path, reason: (error as? CocoaError)?.reason ?? "\(error)")
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
  var reason: String? {
    switch code {
    case .fileWriteNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "a file has the name of its folder"
    default: nil
    }
  }
}
