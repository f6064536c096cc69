public import Foundation
public import StoreDiagnostics

/// The location of a file: a path as a `String` or a `LocalPath`, or a file `URL`.
///
///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
///     let same = try await PersistentStore.open(
///       URL.documentsDirectory.appending(path: "Shop.sqlite"), schema: ShopModel.self)
public protocol FileLocation: Sendable {
  /// Returns the path of the file.
  ///
  /// - Throws: `StoreError` if a URL doesn't refer to a file.
  func localPath() throws -> LocalPath
}

extension LocalPath: FileLocation {
  public func localPath() -> LocalPath { self }
}

extension String: FileLocation {
  public func localPath() -> LocalPath { LocalPath(self) }
}

extension URL: FileLocation {
  public func localPath() throws -> LocalPath {
    guard isFileURL else {
      throw StoreError(
        .notAStore, "store.url", "'\(self)' isn't a file URL", cause: .usage,
        help: ["create the URL with 'URL(filePath:)'"])
    }
    return LocalPath(path(percentEncoded: false))
  }
}

extension PersistentStore {
  /// The file URL of the store.
  public var url: URL { URL(fileURLWithPath: path) }

  /// Returns the path of a store.
  ///
  /// - Throws: `StoreError` for a URL that doesn't refer to a file, and for SQLite's name of a database in memory.
  ///   Otherwise a file with that name would be created.
  package static func storePath(_ location: some FileLocation) throws -> LocalPath {
    let path = try location.localPath()
    guard path != ":memory:" else {
      throw StoreError(
        .notAStore, "store.memory", "a store can't be in memory", cause: .usage,
        help: ["use 'PersistentStore.temporary' for a store that is removed when it is closed"])
    }
    return path
  }
}
