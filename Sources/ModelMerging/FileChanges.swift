package import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Files that are to be written together: all of them, or none.
package struct FileChanges {
  private var files: [(path: FilePath, bytes: [UInt8])] = []

  package init() {}

  /// A folder that is not there is made.
  package mutating func add(_ bytes: [UInt8], at path: FilePath) {
    files.append((path, bytes))
  }

  /// Each file appears whole; where one can't be written, the others are as they were.
  ///
  /// - Throws: `FileChangeError`.
  package func write() throws(FileChangeError) {
    var undo: [() throws -> Void] = []
    for (path, bytes) in files {
      do {
        undo += try Self.write(bytes, at: path)
      } catch {
        let reason = Self.reason(error)
        do {
          for step in undo.reversed() { try step() }
        } catch {
          throw .half(path, reason: reason)
        }
        throw .unwritable(path, reason: reason)
      }
    }
  }

  /// - Returns: what takes it back.
  private static func write(_ bytes: [UInt8], at path: FilePath) throws -> [() throws -> Void] {
    let folder = path.folder
    var undo: [() throws -> Void] = []
    if !folder.isEmpty, folder.kind == nil {
      try folder.makeFolder()
      undo.append { try folder.removeAll() }
    }
    let old = path.kind == nil ? nil : try path.contents()
    do {
      try path.replace(with: bytes)
    } catch {
      for step in undo.reversed() { try step() }
      throw error
    }
    undo.append {
      guard let old else { return try path.removeFile() }
      try path.replace(with: old)
    }
    return undo
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileWriteNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileNoSuchFile: "its folder does not exist"
    default: "\(error)"
    }
  }
}

/// Why files can't be written.
package enum FileChangeError: DiagnosableError, Hashable {
  case unwritable(FilePath, reason: String)
  /// And others, written before, could not be put back.
  case half(FilePath, reason: String)

  package var diagnostics: [Diagnostic] {
    switch self {
    case .unwritable(let path, let reason):
      [
        Diagnostic(
          .error, "file.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput)
      ]
    case .half(let path, let reason):
      [
        Diagnostic(
          .error, "file.half-written",
          "'\(path)' can't be written: \(reason); files beside it are written already",
          cause: .inputOutput)
      ]
    }
  }
}
