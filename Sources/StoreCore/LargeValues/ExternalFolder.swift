package import SQLiteAccess
package import StoreDiagnostics
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder beside a store in which Core Data keeps the values that it does not put into rows.
///
/// Only regular files in it are read and removed. Where it, the folder around it or a file in it is a
/// symbolic link, that belongs to somebody else: another store, or the machine.
package struct ExternalFolder: Sendable {
  package let path: FilePath
  private let unread: UnreadValues?
  /// Counts text that isn't UTF-8.
  private let invalidTexts: UnreadValues?

  /// - Parameter unread: counts files that are not read, whose values then are NULL; without it such
  ///   a value is an error.
  package init(path: FilePath, counting unread: UnreadValues? = nil) {
    self.init(path: path, counting: unread, invalidTexts: unread)
  }

  private init(path: FilePath, counting unread: UnreadValues?, invalidTexts: UnreadValues?) {
    self.path = path
    self.unread = unread
    self.invalidTexts = invalidTexts
  }

  /// `.Todo_SUPPORT/_EXTERNAL_DATA` beside `Todo.sqlite`.
  package static func path(beside store: FilePath) -> FilePath {
    let file = store.followed
    return "\(file.folder).\(file.base)_SUPPORT/\(valuesName)"
  }

  private static let valuesName = "_EXTERNAL_DATA"

  /// `.Todo_SUPPORT`
  private var outerPath: FilePath { path.folder.dropLast() }

  /// Whether a value may name a file so: Core Data's names are UUIDs, and anything else could lead out
  /// of the folder.
  package static func isFileName(_ name: String) -> Bool { UUID(uuidString: name) != nil }

  package func held() throws(ExternalFileError) -> HeldFolder {
    try HeldFolder(Self.valuesName, in: HeldFolder(outerPath))
  }

  /// The bytes of a file; nil when it is not read, and counted.
  ///
  /// - Throws: `ExternalValueMissing`
  package func read(_ name: String) throws(ExternalValueMissing) -> [UInt8]? {
    try reading(name) { folder throws(ExternalFileError) in try folder.read(name) }
  }

  /// Does something with a file; nil when it is not read, and counted.
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

  /// The same folder for somebody whose unread files are counted already.
  package func countingElsewhere() -> ExternalFolder {
    ExternalFolder(
      path: path, counting: unread == nil ? nil : UnreadValues(), invalidTexts: invalidTexts)
  }

  /// The part of the folder's path that is a symbolic link; nil when none is.
  package var link: FilePath? {
    do {
      _ = try held()
      return nil
    } catch {
      guard case .link(let path) = error else { return nil }
      return path
    }
  }

  /// The part of a file's path that is a symbolic link, the folder's or its own; nil when none is.
  func link(to name: String) -> FilePath? {
    do {
      return try held().entry(name) == .link ? "\(path)/\(name)" : nil
    } catch {
      guard case .link(let path) = error else { return nil }
      return path
    }
  }

  /// Whether `remove` would remove a file.
  func canRemove(_ name: String) -> Bool {
    do {
      guard case .file = try held().entry(name) else { return false }
      return true
    } catch {
      return false
    }
  }

  /// Removes a file.
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
    /// There is no such file.
    case missing
    /// A link, a folder or a device, or a file that can't be removed.
    case left
  }

  /// The names that can be Core Data's, UUIDs in upper case, of regular files and of links.
  ///
  /// - Throws: `DatabaseError` when the folder is there but can't be read.
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

extension Store {
  /// Where Core Data keeps the values that it does not put into rows: `.Todo_SUPPORT/_EXTERNAL_DATA`
  /// beside `Todo.sqlite`.
  package var externalDataFolder: FilePath { ExternalFolder.path(beside: path) }

  /// The symbolic link that keeps a value's file from being read and removed: the file or one of its
  /// folders.
  package func link(toValue name: String) -> FilePath? {
    ExternalFolder(path: externalDataFolder).link(to: name)
  }
}

/// Numbers of values that could not be read as they are stored: by what became of their files, and text that isn't UTF-8.
package final class UnreadValues: Sendable {
  package struct Counts: Hashable, Sendable {
    package var missing = 0
    /// Symbolic links, what lies behind them, and what else is not a regular file.
    package var notFollowed = 0
    package var unreadable = 0
    /// Values whose invalid bytes were replaced by U+FFFD.
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

/// Why a file with a value of the store is not read.
package enum ExternalFileError: Error, Hashable, Sendable {
  case missing
  /// The file, or a folder that it lies in, is a symbolic link: it may lead anywhere.
  case link(path: FilePath)
  /// Neither a file nor a link: a folder, a device, a FIFO, which may have no end.
  case special(path: FilePath)
  case unreadable(path: FilePath, SystemError)
}
