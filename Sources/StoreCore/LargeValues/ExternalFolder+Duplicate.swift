package import SQLiteAccess
package import StoreDiagnostics
import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  /// - Throws: `StoreLayoutError.linkedValues` where values lie behind a link: the other store would lack them.
  package func duplicate(to folder: FilePath, for store: FilePath) throws {
    if let link { throw StoreLayoutError.linkedValues(path: link) }
    let contents = try contents()
    if let link = contents.links.min() {
      throw StoreLayoutError.linkedValues(path: "\(path)/\(link)")
    }
    try duplicate(contents.files.sorted(), to: folder, for: store)
  }

  /// The same for some files, which have to be there.
  package func duplicate(_ names: [String], to folder: FilePath, for store: FilePath) throws {
    guard !names.isEmpty else { return }
    let other = ExternalFolder(path: folder)
    try other.make(for: store)
    // Whoever may not read the values must not get to them by way of the copy.
    for (own, new) in [(path.parent, other.path.parent), (path, other.path)] {
      guard let mode = own.status()?.mode else { continue }
      _ = new.withCString { chmod($0, mode & 0o777) }
    }
    do {
      let (source, target) = (try held(), try other.held())
      for name in names { try source.duplicate(name, to: target) }
    } catch {
      throw error.whenCopying(to: folder)
    }
  }

  /// Makes the folder, and the one around it, where they are not there.
  ///
  /// - Parameter store: for error messages.
  package func make(for store: FilePath) throws(DatabaseError) {
    for folder in [path.folder.dropLast(), path] {
      do {
        try folder.makeFolder()
      } catch {
        guard error.code == EEXIST else { throw DatabaseFile.error(error, store) }
      }
    }
  }

  /// Writes a value into a file of its own, in the folder, which is made where it is not there.
  ///
  /// - Parameter store: for error messages.
  /// - Returns: the file's name.
  package func write(_ bytes: [UInt8], for store: FilePath) throws -> String {
    try make(for: store)
    let name = UUID().uuidString
    do {
      try held().write(bytes, to: name)
    } catch {
      throw error.whenCopying(to: path)
    }
    return name
  }

  /// Removes the folder with its files, and the one around it where nothing else is in it.
  package func removeAll() {
    do {
      for name in try contents().files { _ = remove(name) }
    } catch {
      // What can't be read was not made by us.
      return
    }
    for folder in [path, path.folder] { _ = folder.withCString { rmdir($0) } }
  }
}

extension ExternalFileError {
  /// What keeps a file of values from being copied.
  ///
  /// - Parameter folder: where the copies go.
  fileprivate func whenCopying(to folder: FilePath) -> any Error {
    switch self {
    case .missing: DatabaseError.notFound(path: folder)
    case .link(let path): StoreLayoutError.linkedValues(path: path)
    case .special(let path): DatabaseError.exists(path: path)
    case .unreadable(let path, let error):
      error.code == EEXIST ? DatabaseError.exists(path: path) : DatabaseFile.error(error, path)
    }
  }
}

extension ExternalFolder {
  /// Whether a file holds the same bytes as one of another store, read piece by piece.
  ///
  /// - Returns: nil when neither is read; false when one of them is not. Both are counted.
  /// - Throws: `ExternalValueMissing`
  package func hasSameContent(
    _ name: String, as other: ExternalFolder, _ otherName: String
  ) throws(ExternalValueMissing) -> Bool? {
    if path == other.path && name == otherName { return true }
    let file = try reading(name) { folder throws(ExternalFileError) in try folder.opened(name) }
    let otherFile = try other.reading(otherName) { folder throws(ExternalFileError) in
      try folder.opened(otherName)
    }
    guard let file, let otherFile else { return file == nil && otherFile == nil ? nil : false }
    let result = try reading(name) { _ throws(ExternalFileError) in
      try file.hasSameContent(as: otherFile)
    }
    return result ?? false
  }
}
