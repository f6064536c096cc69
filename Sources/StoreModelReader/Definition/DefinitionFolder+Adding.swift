package import StoreDiagnostics

extension DefinitionFolder {
  /// Writes a new file; one that is there is never overwritten. Its folder is made where there is
  /// none.
  package static func add(_ text: String, at path: FilePath) throws(DefinitionFileError) {
    let folder = ModelPath.folder(of: path)
    do {
      try folder.makeFolders()
      try path.writeNew(Array(text.utf8))
    } catch {
      if path.kind != nil { throw .exists(path) }
      throw .unwritable(path, reason: error.reason)
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
