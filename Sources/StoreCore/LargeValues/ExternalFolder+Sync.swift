package import StoreDiagnostics
package import SQLiteAccess

extension ExternalFolder {
  /// Waits until the disk has all files and the names that lead to them from the folder of the store.
  package func sync(for store: FilePath) throws(DatabaseError) {
    let names = try contents().files.sorted()
    guard !names.isEmpty else { return }
    for name in names { try NewFile.sync("\(path)/\(name)", for: store) }
    for folder in [path, path.folder, store.folder] {
      try NewFile.syncFolder(folder, for: store)
    }
  }
}
