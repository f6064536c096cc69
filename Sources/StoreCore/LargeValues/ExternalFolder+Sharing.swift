package import SQLiteAccess
package import StoreDiagnostics

extension ExternalFolder {
  /// Returns whether another store uses the external folder of a store, as `Todo.sqlite` and `Todo.db` do. The folder's
  /// name is derived from the store's name without its extension.
  ///
  /// - Parameter store: the path of the store, whose file doesn't have to exist.
  /// - Throws: `DatabaseError` if the store's folder can't be read.
  package static func isShared(by store: LocalPath) throws(DatabaseError) -> Bool {
    let names: [LocalPath]
    do {
      names = try store.folder.orHere.names()
    } catch {
      throw .inputOutput(
        path: store.folder.orHere, message: "the folder can't be read: \(error.reason)")
    }
    // Some file systems don't distinguish upper and lower case.
    let base = "\(store.base)".lowercased()
    return names.contains { name in
      name != store.name && "\(name.base)".lowercased() == base
        && isDatabase(store.folder.appending(name))
    }
  }

  private static func isDatabase(_ path: LocalPath) -> Bool {
    do {
      _ = try DatabaseFile(path)
      return true
    } catch {
      switch error {
      case .notADatabase, .emptyFile, .atomicStore, .isFolder, .notFound: return false
      // A file that can't be read may be a database.
      default: return true
      }
    }
  }
}
