import StoreDiagnostics

/// The stores in a folder and the folders below it: an app's container, or a copy of one, such as an `.xcappdata` package.
enum StoresOfFolder {
  /// - Throws: `UnreadableFolder`
  static func paths(below folder: FilePath) throws -> [FilePath] {
    try stores(below: folder).map(\.path)
  }

  /// - Throws: `UnreadableFolder`
  static func stores(below folder: FilePath) throws -> [StoreAtHand] {
    var files = StorePaths(filter: nil)
    try files.add(folder)
    return files.paths.map(StoreAtHand.init).filter(\.isStore)
  }
}
