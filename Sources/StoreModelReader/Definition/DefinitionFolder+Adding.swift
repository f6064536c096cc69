package import StoreDiagnostics

extension DefinitionFolder {
  /// Writes a new file, and creates its folder where that is missing. An existing file is never overwritten.
  package static func add(_ text: String, at path: FilePath) throws(DefinitionFileError) {
    do throws(FileWriteError) {
      try StagedFile.add(Array(text.utf8), at: path)
    } catch {
      throw error.isTaken ? .exists(path) : .unwritable(path, reason: error.reason)
    }
  }
}

/// Why a definition can't be written.
package enum DefinitionFileError: DiagnosableError, Hashable {
  case exists(FilePath)
  case unwritable(FilePath, reason: String)

  package var diagnostics: [Diagnostic] {
    switch self {
    case .exists(let path):
      [
        Diagnostic(
          .error, "migrate.definition-exists", "'\(path)' is there already", cause: .cannotCreate
        ).helping("edit it, or move it away")
      ]
    case .unwritable(let path, let reason):
      [
        Diagnostic(
          .error, "migrate.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput
        )
      ]
    }
  }
}
