package import StoreDiagnostics

extension VersionLock {
  /// Replaces the file as a whole, and creates its folder where that is missing.
  package func write() throws(VersionLockError) {
    do throws(FileWriteError) {
      try StagedFile.replace(path, with: Array(text.utf8), makesFolders: true)
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
