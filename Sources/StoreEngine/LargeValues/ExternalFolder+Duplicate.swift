import SQLiteAccess
import StoreLayout

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension ExternalFolder {
  /// Gives another store the same files: second names for them where the file system has hard links,
  /// else copies. Core Data never writes into such a file again, so they may be shared.
  ///
  /// - Parameter store: for error messages.
  /// - Throws: `StoreError.linkedValues` where values lie behind a link: the other store would lack them.
  package func duplicate(to folder: String, for store: String) throws {
    if let link { throw StoreError.linkedValues(path: link) }
    let contents = try contents()
    if let link = contents.links.min() { throw StoreError.linkedValues(path: "\(path)/\(link)") }
    guard !contents.files.isEmpty else { return }
    let outer = DatabaseFile.folder(of: folder)
    for made in [String(outer.dropLast()), folder] where mkdir(made, 0o755) != 0 && errno != EEXIST
    {
      throw DatabaseFile.error(errno, store)
    }
    do {
      let (source, target) = (try held(), try ExternalFolder(path: folder).held())
      for name in contents.files.sorted() { try source.duplicate(name, to: target) }
    } catch {
      throw error.whenCopying(to: folder)
    }
  }

  /// Removes the folder with its files, and the one around it where nothing else is in it.
  func removeAll() {
    do {
      for name in try contents().files { _ = remove(name) }
    } catch {
      // What can't be read was not made by us.
      return
    }
    rmdir(path)
    rmdir(DatabaseFile.folder(of: path))
  }
}

extension ExternalFileProblem {
  /// What keeps a file of values from being copied.
  ///
  /// - Parameter folder: where the copies go.
  fileprivate func whenCopying(to folder: String) -> any Error {
    switch self {
    case .missing: DatabaseError.notFound(path: folder)
    case .link(let path): StoreError.linkedValues(path: path)
    case .special(let path): DatabaseError.exists(path: path)
    case .unreadable(let path, EEXIST): DatabaseError.exists(path: path)
    case .unreadable(let path, let code): DatabaseFile.error(code, path)
    }
  }
}
