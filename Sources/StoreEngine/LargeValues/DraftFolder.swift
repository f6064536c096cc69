package import SQLiteAccess
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder with the large values of a store that is being written.
///
/// Until the store has its name, the folder holds a locked mark that names the store's draft. A folder with a mark that
/// nobody locks, and without a store, was left by a process that was killed: the next one removes it, and the draft.
package struct DraftFolder {
  package let folder: ExternalFolder
  private let lock: DraftLock

  /// Creates the folder.
  ///
  /// - Parameter draft: of the store, whose name is free.
  /// - Throws: `DatabaseError.exists` where there is a folder of that name.
  package init(beside draft: NewFile) throws(DatabaseError) {
    let target = draft.target
    folder = ExternalFolder(path: ExternalFolder.path(beside: target))
    let (outer, mark) = (folder.path.parent, Self.mark(in: folder))
    // An empty folder goes as well: a process may have been killed before it made the mark.
    if outer.isTaken, outer.withCString(rmdir) != 0 {
      guard mark.isTaken, DraftLock.isFree(mark) else { throw .exists(path: outer) }
      Self.removeAbandoned(folder, of: target)
      guard !outer.isTaken else { throw .exists(path: outer) }
    }
    do {
      try outer.makeFolder()
    } catch {
      throw error.code == EEXIST
        ? .exists(path: outer) : DatabaseFile.error(error.code, target)
    }
    let file = mark.descriptor(O_CREAT | O_EXCL | O_WRONLY)
    guard file >= 0 else { throw DatabaseFile.error(errno, target) }
    lock = DraftLock(file)
    do {
      try draft.path.name.bytes.write(to: file)
    } catch {
      throw DatabaseFile.error(error.code, target)
    }
  }

  private static func removeAbandoned(_ folder: ExternalFolder, of target: FilePath) {
    do {
      let draft = target.folder.appending(FilePath(bytes: try mark(in: folder).contents()))
      if NewFile.isDraft(draft, of: target) { NewFile.removeDatabase(draft) }
    } catch {
      // Without a name the draft stays; it is in nobody's way.
    }
    remove(folder)
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
