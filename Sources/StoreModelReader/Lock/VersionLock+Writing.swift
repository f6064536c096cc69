package import StoreDiagnostics

extension VersionLock {
  /// Puts the file in its place as a whole; makes its folder where there is none.
  package func write() throws(VersionLockError) {
    let folder = ModelPath.folder(of: path)
    do {
      try folder.makeFolders()
      try path.replace(with: Array(text.utf8))
    } catch {
      throw .unwritable(path, reason: error.reason)
    }
  }
}

/// Why a lock file can't be written.
package enum VersionLockError: DiagnosableError, Hashable {
  case unwritable(FilePath, reason: String)

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
