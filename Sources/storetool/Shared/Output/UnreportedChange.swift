import RecordFormats
import StoreDiagnostics

/// A change is committed, and the command could not write its result to standard output.
struct UnreportedChange: Error {
  enum Place: Hashable {
    case store(FilePath)
    /// Stores of a run of `each`.
    case stores
  }

  let place: Place
  let failure: OutputError

  /// Prints the result of a committed change.
  ///
  /// - Parameter path: the store that was changed; nil after a dry run.
  /// - Throws: `UnreportedChange` for an output that can't be written; otherwise what `print` throws.
  static func reporting(_ path: FilePath?, _ print: () throws -> Void) throws {
    do {
      try print()
    } catch let failure as OutputError {
      guard let path else { throw failure }
      throw UnreportedChange(place: .store(path), failure: failure)
    }
  }
}

extension UnreportedChange: DiagnosableError {
  var diagnostics: [Diagnostic] {
    failure.diagnostics.map { diagnostic in
      switch place {
      case .store(let path):
        diagnostic.helping("'\(path)' was changed before that: don't repeat the command")
      case .stores:
        diagnostic.helping("stores were changed before that: don't repeat the command for them")
      }
    }
  }
}
