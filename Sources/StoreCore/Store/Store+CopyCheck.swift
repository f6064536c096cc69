import SQLiteAccess
import StoreDiagnostics
import StoreLayout

extension Store {
  /// Opens a copy as its user would, in its place and under its name, and compares it with the store.
  ///
  /// SQLite checks the copy, and with it the store: their pages are the same.
  ///
  /// - Throws: `StoreLayoutError.copyDiffers` with the first difference; `damaged`, naming the store.
  func requireSameContent(in path: FilePath, _ cancellation: Cancellation = .ofProcess) throws {
    let copy = try Store.open(path, .reading)
    let counts = try copy.read(cancellation: cancellation) { connection in
      try connection.quickCheck(naming: self.path)
      return try connection.rowCounts()
    }
    try copy.close()
    guard copy.metadata == metadata else {
      throw StoreLayoutError.copyDiffers(path: path, .metadata)
    }
    let own = try read(cancellation: cancellation) { try $0.rowCounts() }
    for table in Set(own.keys).union(counts.keys).sorted() where own[table] != counts[table] {
      throw StoreLayoutError.copyDiffers(
        path: path, .rows(table: table, store: own[table], copy: counts[table]))
    }
  }
}
