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
      guard let mode = own.status()?.st_mode else { continue }
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
        guard error.code == EEXIST else { throw DatabaseFile.error(error.code, store) }
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
    case .unreadable(let path, EEXIST): DatabaseError.exists(path: path)
    case .unreadable(let path, let code): DatabaseFile.error(code, path)
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
    let file = try reading(name) { folder throws(ExternalFileError) in
      OpenedFile(try folder.opened(name), "\(path)/\(name)")
    }
    let otherFile = try other.reading(otherName) { folder throws(ExternalFileError) in
      OpenedFile(try folder.opened(otherName), "\(other.path)/\(otherName)")
    }
    guard let file, let otherFile else { return file == nil && otherFile == nil ? nil : false }
    let result = try reading(name) { _ throws(ExternalFileError) in
      try file.hasSameContent(as: otherFile)
    }
    return result ?? false
  }
}

/// A file that is closed with its value.
private final class OpenedFile {
  private let descriptor: Int32
  private let path: FilePath

  init(_ descriptor: Int32, _ path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func hasSameContent(as other: OpenedFile) throws(ExternalFileError) -> Bool {
    guard size == other.size else { return false }
    let space = UnsafeMutableRawBufferPointer.allocate(
      byteCount: HeldFolder.pieceSize * 2, alignment: 16)
    defer { space.deallocate() }
    let halves = (
      UnsafeMutableRawBufferPointer(rebasing: space[..<HeldFolder.pieceSize]),
      UnsafeMutableRawBufferPointer(rebasing: space[HeldFolder.pieceSize...])
    )
    while true {
      let counts = (try read(into: halves.0), try other.read(into: halves.1))
      guard counts.0 == counts.1 else { return false }
      guard counts.0 > 0 else { return true }
      guard halves.0[..<counts.0].elementsEqual(halves.1[..<counts.0]) else { return false }
    }
  }

  private var size: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -1
  }

  /// Fills the space as far as the file goes.
  private func read(into space: UnsafeMutableRawBufferPointer) throws(ExternalFileError) -> Int {
    var count = 0
    while count < space.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: space[count...])
      let got = systemRead(descriptor, rest.baseAddress, rest.count)
      if got == 0 { break }
      if got > 0 {
        count += got
      } else if errno != EINTR {
        throw .unreadable(path: path, code: errno)
      }
    }
    return count
  }
}
