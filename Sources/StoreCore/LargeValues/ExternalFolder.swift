package import SQLiteAccess
package import StoreDiagnostics
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder with the external values of a store: large values that Core Data keeps in files instead of in rows.
///
/// Only its regular files are read or removed. If the folder, its parent or a file is a symbolic link, it isn't
/// followed, because it could refer to files of another store or of the system.
package struct ExternalFolder: Sendable {
  package let path: LocalPath
  private var unread: UnreadValues?
  /// Counts texts that aren't valid UTF-8.
  private let invalidTexts: UnreadValues?

  /// - Parameter unread: counts values whose files can't be read, for which `read` returns nil, and texts that aren't
  ///   valid UTF-8. If `unread` is nil, an unreadable file is an error instead.
  package init(path: LocalPath, counting unread: UnreadValues? = nil) {
    self.path = path
    (self.unread, invalidTexts) = (unread, unread)
  }

  /// Returns the path of the folder for a store: `.Todo_SUPPORT/_EXTERNAL_DATA` in the folder of `Todo.sqlite`.
  package static func path(beside store: LocalPath) -> LocalPath {
    let file = store.followed
    return "\(file.folder).\(file.base)_SUPPORT/\(valuesName)"
  }

  private static let valuesName = "_EXTERNAL_DATA"

  /// The parent folder, such as `.Todo_SUPPORT`.
  private var outerPath: LocalPath { path.folder.dropLast() }

  /// Returns whether a file with this name can be an external value. Core Data's names are UUIDs. Other names are
  /// rejected, because they could refer to files outside of the folder.
  package static func isFileName(_ name: String) -> Bool { UUID(uuidString: name) != nil }

  package func held() throws(ExternalFileError) -> HeldFolder {
    try HeldFolder(Self.valuesName, in: HeldFolder(outerPath))
  }

  /// Returns the bytes of a file. If it can't be read, counts the value and returns nil, or throws if values aren't
  /// counted.
  ///
  /// - Throws: `ExternalValueMissing`
  package func read(_ name: String) throws(ExternalValueMissing) -> [UInt8]? {
    try reading(name) { folder throws(ExternalFileError) in try folder.read(name) }
  }

  /// Calls `read` with the opened folder. If the file can't be read, counts the value and returns nil, or throws if
  /// values aren't counted.
  func reading<Result>(
    _ name: String, _ read: (HeldFolder) throws(ExternalFileError) -> Result
  ) throws(ExternalValueMissing) -> Result? {
    do throws(ExternalFileError) {
      guard Self.isFileName(name) else { throw ExternalFileError.missing }
      return try read(held())
    } catch {
      guard let unread else { throw ExternalValueMissing(name: name, folder: path, problem: error) }
      unread.add(error)
      return nil
    }
  }

  func noteInvalidText() { invalidTexts?.addInvalidText() }

  /// Returns the same folder, but errors when reading files are no longer added to its counter. It is used to read
  /// files again after their errors were counted.
  package func countingElsewhere() -> ExternalFolder {
    var folder = self
    if unread != nil { folder.unread = UnreadValues() }
    return folder
  }

  /// The path of the folder's parent or of the folder, whichever is the first symbolic link. Nil if neither is a link.
  package var link: LocalPath? { link { _ in nil } }

  /// Returns the path of the folder's parent, the folder or the file, whichever is the first symbolic link. Nil if none
  /// of them is a link.
  func link(to name: String) -> LocalPath? {
    link { $0.entry(name) == .link ? "\(path)/\(name)" : nil }
  }

  private func link(inside find: (HeldFolder) -> LocalPath?) -> LocalPath? {
    do {
      return find(try held())
    } catch {
      guard case .link(let path) = error else { return nil }
      return path
    }
  }

  /// Returns whether a regular file exists. Doesn't check its name: `remove` also requires that the name is a UUID.
  func canRemove(_ name: String) -> Bool {
    do {
      guard case .file = try held().entry(name) else { return false }
      return true
    } catch {
      return false
    }
  }

  /// Removes a regular file whose name is a UUID.
  @discardableResult
  package func remove(_ name: String) -> Removal {
    guard Self.isFileName(name) else { return .left }
    do {
      return try held().remove(name)
    } catch {
      return error == .missing ? .missing : .left
    }
  }

  package enum Removal: Hashable, Sendable {
    case removed
    /// The file or its folder doesn't exist.
    case missing
    /// The file remains: its name isn't a UUID, it isn't a regular file, or the removal failed.
    case left
  }

  /// Returns the names of the regular files and of the symbolic links whose names are UUIDs in upper case, as Core Data
  /// creates them. Both sets are empty if the folder doesn't exist, or if it or its parent is a symbolic link or isn't
  /// a folder.
  ///
  /// - Throws: `DatabaseError` if the folder exists but can't be read.
  package func contents() throws(DatabaseError) -> (files: Set<String>, links: Set<String>) {
    do {
      let folder = try held()
      let names = try path.names().compactMap(\.text).filter {
        UUID(uuidString: $0)?.uuidString == $0
      }
      let entries = names.map { ($0, folder.entry($0)) }
      let files = entries.filter { if case .file = $0.1 { true } else { false } }
      return (Set(files.map(\.0)), Set(entries.filter { $0.1 == .link }.map(\.0)))
    } catch let problem as ExternalFileError {
      guard case .unreadable(let path, let error) = problem else { return ([], []) }
      throw DatabaseFile.error(error, path)
    } catch {
      throw .inputOutput(path: path, message: "the folder can't be read: \(error)")
    }
  }
}

extension ExternalFolder {
  /// Syncs the files of `contents` to disk, then their folder, its parent and the folder of the store. Does nothing if
  /// `contents` is empty.
  package func sync(for store: LocalPath) throws(DatabaseError) {
    let names = try contents().files.sorted()
    guard !names.isEmpty else { return }
    for name in names { try NewFile.sync("\(path)/\(name)", for: store) }
    for folder in [path, path.folder, store.folder] {
      try NewFile.syncFolder(folder, for: store)
    }
  }
}

extension Store {
  /// The folder with the store's external values, such as `.Todo_SUPPORT/_EXTERNAL_DATA` for `Todo.sqlite`.
  package var externalDataFolder: LocalPath { ExternalFolder.path(beside: path) }

  /// Returns the path of the symbolic link that prevents reading and removing the file of a value: the file, its folder
  /// or the folder's parent. Nil if none of them is a link.
  package func link(toValue name: String) -> LocalPath? {
    ExternalFolder(path: externalDataFolder).link(to: name)
  }
}

/// Counts the external values that couldn't be read, by reason, and the texts that aren't valid UTF-8.
package final class UnreadValues: Sendable {
  package struct Counts: Hashable, Sendable {
    package var missing = 0
    /// The number of values whose file isn't a regular file, or whose folder or its parent is a symbolic link or isn't
    /// a folder.
    package var notFollowed = 0
    package var unreadable = 0
    /// The number of values whose invalid bytes were replaced by U+FFFD.
    package var invalidText = 0
  }

  private let state = Mutex(Counts())

  package init() {}

  package var counts: Counts { state.withLock { $0 } }

  func addInvalidText() { state.withLock { $0.invalidText += 1 } }

  func add(_ problem: ExternalFileError) {
    state.withLock { counts in
      switch problem {
      case .missing: counts.missing += 1
      case .link, .special: counts.notFollowed += 1
      case .unreadable: counts.unreadable += 1
      }
    }
  }
}

/// The reason why a file with an external value can't be read or written.
package enum ExternalFileError: Error, Hashable, Sendable {
  case missing
  /// The file, its folder or the folder's parent is a symbolic link.
  case link(path: LocalPath)
  /// The file isn't a regular file, for example a FIFO, from which reading might never end; or its folder or the
  /// folder's parent isn't a folder.
  case special(path: LocalPath)
  case unreadable(path: LocalPath, SystemError)
}
