import SQLiteAccess
import StoreDiagnostics

/// The folder with the external values of a backup that isn't complete yet.
struct BackupFolder {
  private enum Kind {
    /// The folder is created for the backup.
    case new(DraftFolder)
    /// The backup replaces a store that has the external values with these names.
    case used(Set<String>)
    /// Another store uses the folder, so the backup can't have external values.
    case foreign
  }

  private let source: ExternalFolder
  private let folder: ExternalFolder
  private let target: LocalPath
  private let kind: Kind
  /// The files that the backup needs.
  private var names: Set<String> = []

  /// Creates the folder. A backup that replaces a store adds its files to the folder of the store. The store is thus
  /// complete until it is replaced.
  ///
  /// - Throws: `DatabaseError`, such as `exists` if the folder has files that don't belong to a replaced store.
  init(of store: Store, beside target: LocalPath, replaces: Bool) throws(DatabaseError) {
    self.target = target
    source = ExternalFolder(path: store.externalDataFolder)
    folder = ExternalFolder(path: ExternalFolder.path(beside: target))
    if try ExternalFolder.isShared(by: target.followed) {
      kind = .foreign
    } else if replaces, target.isTaken, folder.path.kind == .folder, folder.link == nil {
      kind = .used(try folder.contents().files)
    } else {
      kind = .new(try DraftFolder(beside: target))
    }
  }

  /// Copies the values, and then begins a read transaction with a state whose values were copied. Another process
  /// removes the files of deleted rows, so the files are copied before the state is read, and new files afterwards.
  ///
  /// - Throws: `DatabaseError`, such as `writtenMeanwhile` if other processes remove new values continually, or
  ///   `exists` if another store uses the folder of the values; `StoreLayoutError.linkedValues`; an error of `read`.
  mutating func fill<State>(
    on connection: Connection, reading read: () throws -> State
  ) throws -> State {
    for _ in 1...Self.attempts {
      _ = try copyNewFiles()
      try connection.renewReading()
      let state = try read()
      if try copyNewFiles() { return state }
    }
    throw DatabaseError.writtenMeanwhile(path: connection.path)
  }

  private static let attempts = 10

  /// The files of the replaced store.
  private var oldNames: Set<String> {
    if case .used(let names) = kind { names } else { [] }
  }

  /// Returns false if a file was removed before it was copied.
  private mutating func copyNewFiles() throws -> Bool {
    let new = try source.copyableFiles().filter { !names.contains($0) }
    if case .foreign = kind, !new.isEmpty { throw DatabaseError.exists(path: folder.path) }
    names.formUnion(new)
    let oldNames = oldNames
    var isComplete = true
    for name in new where oldNames.contains(name) {
      if try hasOldFile(name) { continue }
      names.remove(name)
      isComplete = false
    }
    let hasCopied = try source.duplicateRemaining(
      new.filter { !oldNames.contains($0) }, to: folder.path, for: target)
    return isComplete && hasCopied
  }

  /// Checks that the replaced store has the same file.
  ///
  /// - Returns: false if the file doesn't exist any more.
  /// - Throws: `DatabaseError.exists` if the file of the replaced store has other bytes.
  private func hasOldFile(_ name: String) throws -> Bool {
    do {
      if try folder.hasSameContent(name, as: source, name) == true { return true }
    } catch {
      guard error.problem == .missing else { throw error }
      return false
    }
    throw DatabaseError.exists(path: "\(folder.path)/\(name)")
  }

  func sync() throws(DatabaseError) { try folder.sync(for: target) }

  /// Must be called after the backup has its name. Removes the files that only the replaced store needed.
  func finish() {
    switch kind {
    case .new(let draft): draft.finish()
    case .used(let oldNames): for name in oldNames.subtracting(names) { folder.remove(name) }
    case .foreign: break
    }
  }

  /// Removes the copied files. Must be called if the backup won't be completed.
  func discard() {
    switch kind {
    case .new(let draft): draft.discard()
    case .used(let oldNames): for name in names.subtracting(oldNames) { folder.remove(name) }
    case .foreign: break
    }
  }
}
