package import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DefinitionFolder {
  /// Writes a new file; one that is there is never overwritten. Its folder is made where there is
  /// none.
  package static func add(_ text: String, at path: String) throws(DefinitionFileError) {
    let folder = ModelPath.folder(of: path)
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      }
      try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      if FileManager.default.fileExists(atPath: path) { throw .exists(path) }
      throw .unwritable(path, reason: (error as? CocoaError)?.reason ?? "\(error)")
    }
  }
}

/// Why a definition can't be written.
package enum DefinitionFileError: DiagnosableError, Hashable {
  case exists(String)
  case unwritable(String, reason: String)

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
