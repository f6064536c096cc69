package import StoreDiagnostics
import StoreModelReader

/// Files that are written together. If one of them can't be written, the others are restored or, if they are new,
/// removed.
package struct FileChanges {
  private var files: [(path: LocalPath, bytes: [UInt8])] = []

  package init() {}

  /// Adds a file. `write()` creates its folder if it is missing, and replaces the files in the order in which they were
  /// added.
  package mutating func add(_ bytes: [UInt8], at path: LocalPath) {
    files.append((path, bytes))
  }

  /// Writes the files. All contents are synced under temporary names before a file is replaced. Only pipes and devices
  /// are written to directly.
  ///
  /// - Throws: `FileChangeError.unwritable` if a file can't be written and the others are restored, or
  ///   `FileChangeError.half` if, in addition, one of the others can't be restored.
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

  /// - Returns: a function that restores the current state of the file.
  private static func undoing(_ path: LocalPath) throws -> () throws -> Void {
    guard path.kind != nil else {
      let added = path.parent.orHere.kind == nil ? path.parent : path
      return { try added.removeAll() }
    }
    // Bytes that a pipe or a device has received can't be restored.
    guard path.kind == .file else { return {} }
    let old = try path.contents()
    return { try StagedFile.replace(path, with: old) }
  }
}

/// The reason why files can't be written.
package enum FileChangeError: DiagnosableError, Hashable {
  case unwritable(LocalPath, reason: String)
  /// The file can't be written, and another file, which was already written, can't be restored.
  case half(LocalPath, reason: String)

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unwritable(let path, let reason):
      .unwritable(path, "file.unwritable", reason)
    case .half(let path, let reason):
      DiagnosticMessage(
        .error, "file.half-written",
        "'\(path)' can't be written: \(reason); other files were already written and can't be restored",
        cause: .inputOutput)
    }
  }
}
