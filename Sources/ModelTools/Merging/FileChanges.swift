package import StoreDiagnostics
import StoreModelReader

/// Files that are to be written together: all of them, or none.
package struct FileChanges {
  private var files: [(path: FilePath, bytes: [UInt8])] = []

  package init() {}

  /// A folder that is missing is created. The files get their names in the order in which they are added.
  package mutating func add(_ bytes: [UInt8], at path: FilePath) {
    files.append((path, bytes))
  }

  /// Each file appears whole. If one can't be written, the others keep their content.
  ///
  /// All contents are on the disk before the first file gets its name.
  ///
  /// - Throws: `FileChangeError`.
  package func write() throws(FileChangeError) {
    var staged: [StagedFile] = []
    for (path, bytes) in files {
      do {
        staged.append(try StagedFile(bytes, for: path, makesFolder: true))
      } catch {
        throw .unwritable(path, reason: error.reason)
      }
    }
    var undo: [() throws -> Void] = []
    for (file, path) in zip(staged, files.map(\.path)) {
      do {
        let step = try Self.undoing(path)
        try file.publish()
        undo.append(step)
      } catch {
        let reason = (error as? FileWriteError)?.reason ?? "\(error)"
        do {
          for step in undo.reversed() { try step() }
        } catch {
          throw .half(path, reason: reason)
        }
        throw .unwritable(path, reason: reason)
      }
    }
  }

  /// - Returns: what takes back a change of the file.
  private static func undoing(_ path: FilePath) throws -> () throws -> Void {
    guard path.kind != nil else {
      let added = path.parent.orHere.kind == nil ? path.parent : path
      return { try added.removeAll() }
    }
    // What a pipe or a device has got can't be taken back.
    guard StagedFile.replacesFile(at: path) else { return {} }
    let old = try path.contents()
    return { try StagedFile.replace(path, with: old) }
  }
}

/// Why files can't be written.
package enum FileChangeError: DiagnosableError, Hashable {
  case unwritable(FilePath, reason: String)
  /// And others, written before, could not be put back.
  case half(FilePath, reason: String)

  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unwritable(let path, let reason):
      Diagnostic(
        .error, "file.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput)
    case .half(let path, let reason):
      Diagnostic(
        .error, "file.half-written",
        "'\(path)' can't be written: \(reason); files beside it are written already",
        cause: .inputOutput)
    }
  }
}
