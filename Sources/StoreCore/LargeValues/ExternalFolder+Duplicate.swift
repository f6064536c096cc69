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
  /// Creates the same files in the folder of another store, as hard links if the file system supports them, otherwise
  /// as copies. Core Data never changes such a file, so stores can share it.
  ///
  /// - Parameters:
  ///   - folder: the folder with the external values of the other store.
  ///   - store: the path of the other store, for error messages.
  /// - Throws: `StoreLayoutError.linkedValues` if a file or folder is a symbolic link, because the values would be
  ///   missing in the other store; `DatabaseError`.
  package func duplicate(to folder: LocalPath, for store: LocalPath) throws {
    try duplicate(copyableFiles(), to: folder, for: store)
  }

  /// Returns the names of the files, in their order.
  ///
  /// - Throws: `StoreLayoutError.linkedValues` if a file or folder is a symbolic link; `DatabaseError`.
  func copyableFiles() throws -> [String] {
    if let link { throw StoreLayoutError.linkedValues(path: link) }
    let contents = try contents()
    if let link = contents.links.min() {
      throw StoreLayoutError.linkedValues(path: "\(path)/\(link)")
    }
    return contents.files.sorted()
  }

  /// Creates the files with the given names in the folder of another store. The files must exist in this folder.
  package func duplicate(_ names: [String], to folder: LocalPath, for store: LocalPath) throws {
    guard try duplicateRemaining(names, to: folder, for: store) else {
      throw DatabaseError.notFound(path: folder)
    }
  }

  /// Creates the files with the given names in the folder of another store, except files that don't exist any more.
  ///
  /// - Returns: whether all of the files exist.
  func duplicateRemaining(
    _ names: [String], to folder: LocalPath, for store: LocalPath
  ) throws -> Bool {
    guard !names.isEmpty else { return true }
    let other = ExternalFolder(path: folder)
    try other.make(for: store)
    // Users without access to the values must not gain access through the copy.
    for (own, new) in [(path.parent, other.path.parent), (path, other.path)] {
      guard let mode = own.status()?.mode else { continue }
      _ = new.withCString { chmod($0, mode & 0o777) }
    }
    var isComplete = true
    do throws(ExternalFileError) {
      let (source, target) = (try held(), try other.held())
      for name in names {
        do throws(ExternalFileError) {
          try source.duplicate(name, to: target)
        } catch {
          guard error == .missing else { throw error }
          isComplete = false
        }
      }
    } catch {
      throw error.whenCopying(to: folder)
    }
    return isComplete
  }

  /// Creates the folder and its parent if they don't exist.
  ///
  /// - Parameter store: the path of the store, for error messages.
  package func make(for store: LocalPath) throws(DatabaseError) {
    for folder in [path.folder.dropLast(), path] {
      do {
        try folder.makeFolder()
      } catch {
        guard error.code == EEXIST else { throw DatabaseFile.error(error, store) }
      }
    }
  }

  /// Writes a value to a new file in the folder, which is created if it doesn't exist.
  ///
  /// - Parameter store: the path of the store, for error messages.
  /// - Returns: the name of the file.
  package func write(_ bytes: [UInt8], for store: LocalPath) throws -> String {
    try make(for: store)
    let name = UUID().uuidString
    do {
      try held().write(bytes, to: name)
    } catch {
      throw error.whenCopying(to: path)
    }
    return name
  }

  /// Removes the files of `contents`, then the folder and its parent if they are empty.
  package func removeAll() {
    do {
      for name in try contents().files { _ = remove(name) }
    } catch {
      // If the folder can't be read, storetool hasn't created it, so it remains.
      return
    }
    for folder in [path, path.folder] { _ = folder.withCString { rmdir($0) } }
  }
}

extension ExternalFileError {
  /// Returns the error that is thrown if a file with a value can't be copied.
  ///
  /// - Parameter folder: the destination folder.
  fileprivate func whenCopying(to folder: LocalPath) -> any Error {
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
  /// Returns whether a file has the same bytes as a file of another store. Both are read in pieces.
  ///
  /// - Returns: nil if neither file can be opened, and false if only one can. Values that can't be read are counted.
  /// - Throws: `ExternalValueMissing` if a file can't be read and its folder doesn't count such values.
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
