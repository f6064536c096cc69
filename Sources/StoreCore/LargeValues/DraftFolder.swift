package import SQLiteAccess
package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder with the large values of a store that is being written.
///
/// Until the store has its name, the folder holds a locked mark. A folder with a mark that nobody locks, and without a
/// store, was left by a process that was killed: the next one removes it.
package struct DraftFolder {
  package let folder: ExternalFolder
  private let draft: Draft

  /// Creates the folder.
  ///
  /// - Parameter target: the store, whose name is free.
  /// - Throws: `DatabaseError.exists` where there is a folder of that name.
  package init(beside target: FilePath) throws(DatabaseError) {
    folder = ExternalFolder(path: ExternalFolder.path(beside: target))
    let (outer, mark) = (folder.path.parent, Self.mark(in: folder))
    // An empty folder goes as well: a process may have been killed before it made the mark.
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

  private static func mark(in folder: ExternalFolder) -> FilePath {
    folder.path.parent.appending(".storetool-draft")
  }

  /// Takes the mark away: the store has its name.
  package func finish() {
    // Without values there is no folder.
    Self.unmark(folder)
  }

  /// Removes the folder: there will be no store.
  package func discard() { Self.remove(folder) }

  private static func remove(_ folder: ExternalFolder) {
    // The mark goes last, so that a process that is killed here leaves it.
    folder.removeAll()
    unmark(folder)
  }

  private static func unmark(_ folder: ExternalFolder) {
    _ = mark(in: folder).withCString(unlink)
    _ = folder.path.parent.withCString(rmdir)
  }
}
