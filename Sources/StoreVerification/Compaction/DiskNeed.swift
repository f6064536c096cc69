import SQLiteAccess
package import StoreDiagnostics

/// Free bytes that a folder's disk must have before something is begun.
package struct DiskNeed: Hashable, Sendable {
  package var folder: FilePath
  package var bytes: Int64

  package init(folder: FilePath, bytes: Int64) {
    (self.folder, self.bytes) = (folder, bytes)
  }

  /// What is needed beside a file and for temporary files: of one disk where they are on one.
  package static func needs(beside path: FilePath, _ bytes: Int64, temporary: Int64) -> [DiskNeed] {
    let folder = path.folder.orHere
    let own = folder.hasSuffix("/") && folder != "/" ? folder.dropLast() : folder
    let other = DatabaseFile.temporaryFolder
    guard DatabaseFile.isSameDisk("\(other)/", path) else {
      return [DiskNeed(folder: own, bytes: bytes), DiskNeed(folder: other, bytes: temporary)]
    }
    return [DiskNeed(folder: own, bytes: bytes + temporary)]
  }

  /// - Throws: `NoSpaceError`
  package func require() throws(NoSpaceError) {
    guard let free = DatabaseFile.freeSpace(beside: "\(folder)/"), free < bytes else { return }
    throw NoSpaceError(folder: folder, needed: bytes, free: free)
  }
}

/// A disk has too little room for what is about to be done.
package struct NoSpaceError: DiagnosableError, Hashable {
  package var folder: FilePath
  /// In bytes.
  package var needed: Int64
  package var free: Int64

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "store.no-space",
        "\(ByteCount.text(needed)) are needed in '\(folder)', and \(ByteCount.text(free)) are free",
        cause: .inputOutput,
        help: [
          """
          make room there, or on another disk: temporary files, about half of it, go to the folder that \
          SQLITE_TMPDIR or TMPDIR names
          """
        ])
    ]
  }
}
