package import SQLiteAccess
package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder with the external values of a store that isn't complete yet.
///
/// A store is written with a temporary name and is renamed when it is complete. Until then, the folder contains a
/// locked file as a mark. If the mark isn't locked, the process that created the folder was killed. The next process
/// that creates the same store removes such a folder.
package struct DraftFolder {
  package let folder: ExternalFolder
  private let draft: Draft

  /// Creates the folder.
  ///
  /// - Parameter target: the path of the store, which doesn't exist yet.
  /// - Throws: `DatabaseError`, for example `exists` if the folder contains files that weren't left by a killed
  ///   process.
  package init(beside target: LocalPath) throws(DatabaseError) {
    folder = ExternalFolder(path: ExternalFolder.path(beside: target))
    let (outer, mark) = (folder.path.parent, Self.mark(in: folder))
    // An empty folder is also removed, because a process can have been killed before it created the mark.
    if outer.isTaken, outer.withCString(rmdir) != 0 {
      guard mark.isTaken, Draft.isAbandoned(mark) else { throw .exists(path: outer) }
      Self.remove(folder)
      guard !outer.isTaken else { throw .exists(path: outer) }
    }
    do throws(SystemError) {
      try outer.makeFolder()
      draft = Draft(mark, try OpenFile(mark, O_CREAT | O_EXCL | O_WRONLY))
    } catch {
      throw error.code == EEXIST ? .exists(path: outer) : DatabaseFile.error(error, target)
    }
  }

  private static func mark(in folder: ExternalFolder) -> LocalPath {
    folder.path.parent.appending(".storetool-draft")
  }

  /// Removes the mark. Must be called after the store is renamed.
  package func finish() {
    // Without external values, this also removes the empty folder.
    Self.unmark(folder)
  }

  /// Removes the folder with its files. Must be called if the store won't be completed.
  package func discard() { Self.remove(folder) }

  private static func remove(_ folder: ExternalFolder) {
    // The mark is removed last, so that it remains if the process is killed here.
    folder.removeAll()
    unmark(folder)
  }

  private static func unmark(_ folder: ExternalFolder) {
    _ = mark(in: folder).withCString(unlink)
    _ = folder.path.parent.withCString(rmdir)
  }
}
