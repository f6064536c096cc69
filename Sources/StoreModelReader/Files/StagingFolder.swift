import StoreDiagnostics

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

/// A folder in which files are staged.
///
/// Whoever stages files holds a shared lock on the folder (flock(2)). A process that gets the lock alone knows that
/// nobody is at work: the drafts in the folder were abandoned.
final class StagingFolder {
  private let path: FilePath
  private let descriptor: Int32

  /// - Parameter path: empty for the working directory.
  init(_ path: FilePath) throws(FileWriteError) {
    self.path = path
    descriptor = path.orHere.descriptor(O_RDONLY | O_DIRECTORY)
    // A folder that may be written to and not be read can neither be locked nor synced.
    guard descriptor >= 0 || errno == EACCES else { throw FileWriteError(errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// `.Todo.swift.UUID.new`: hidden, and a model's reader passes it by.
  func draftPath(of name: FilePath) -> FilePath {
    path.appending("\(Self.prefix(of: name))\(UUID().uuidString)\(Self.ending)")
  }

  private static func prefix(of name: FilePath) -> FilePath { ".\(name)." }
  private static let ending = ".new"

  /// Removes the drafts of a name that processes have left which were killed, and locks the folder.
  func removeAbandoned(of name: FilePath) {
    guard descriptor >= 0 else { return }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      for draft in drafts(of: name) { Self.remove(path.appending(draft)) }
    }
    _ = flock(descriptor, LOCK_SH | LOCK_NB)
  }

  private func drafts(of name: FilePath) -> [FilePath] {
    do {
      return try path.names().filter { found in
        let prefix = Self.prefix(of: name).bytes
        guard found.bytes.starts(with: prefix), found.hasSuffix(Self.ending) else { return false }
        let middle = found.dropFirst(prefix.count).dropLast(Self.ending.utf8.count)
        return UUID(uuidString: "\(middle)") != nil
      }
    } catch {
      // They stay until the folder can be listed.
      return []
    }
  }

  /// Waits until the disk has the names in the folder, where its file system knows of such a thing.
  func sync() throws(FileWriteError) {
    guard descriptor >= 0 else { return }
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
      throw FileWriteError(errno)
    }
  }

  /// Removes a draft: a file, or a folder with everything in it.
  static func remove(_ draft: FilePath) {
    do {
      try draft.removeAll()
    } catch {
      // Its name says what it is, and the next run removes it.
    }
  }
}
