import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout

/// A file that may be the store of a command.
struct StoreAtHand {
  let path: LocalPath
  /// The store, opened for reading, or the reason why it can't be opened.
  let opened: Result<Store, any Error>

  /// The usual extensions of stores.
  static let suffixes = [".sqlite", ".sqlite3", ".db", ".store", ".storedata"]

  /// Returns whether a name has the extension of a store.
  static func isName(_ name: String) -> Bool { suffixes.contains(where: name.hasSuffix) }

  init(_ path: LocalPath) {
    self.path = path
    opened = Result { try Store.open(path, .reading) }
  }

  /// Returns the stores with the usual extensions in a folder and its subfolders. The folder can be an app's container,
  /// or a copy of it, such as an `.xcappdata` package.
  ///
  /// - Throws: `DiagnosticError` if a folder can't be read.
  static func all(below folder: LocalPath) throws -> [StoreAtHand] {
    var files = StorePaths(filter: nil)
    try files.add(folder)
    return files.paths.map(StoreAtHand.init).filter(\.isStore)
  }

  /// Whether the file is or may be a store. A locked or damaged file may be one, because it can't be checked.
  var isStore: Bool {
    switch opened {
    case .failure(DatabaseError.notADatabase), .failure(DatabaseError.emptyFile),
      .failure(DatabaseError.atomicStore),
      .failure(StoreLayoutError.notAStore),
      .failure(DatabaseError.isFolder), .failure(DatabaseError.notFound):
      false
    case .success, .failure: true
    }
  }

  var isUsable: Bool {
    if case .success = opened { true } else { false }
  }

  /// Returns the store. If it contains an unfinished transaction of a crashed process, the transaction is rolled back
  /// for a command that writes, and is an error for other commands.
  func recovered(before use: Store.Access) throws -> Store {
    do {
      return try opened.get()
    } catch DatabaseError.needsRecovery where use == .writing {
      try Store.open(path, .writing).close()
      return try Store.open(path, .reading)
    }
  }

  /// Returns the store, which is one of several in its folder. If it can't be opened, an error is thrown, because the
  /// user may have intended this store.
  func oneOfSeveral() throws -> Store {
    do {
      return try opened.get()
    } catch let error as any DiagnosableError {
      throw DiagnosticError(
        error.diagnostics.map {
          $0.helping("the folder contains several stores: specify one with --store")
        })
    }
  }
}

/// The stores of a folder that can be opened. Some other stores are skipped (see `mayPassOver`), so that commands in
/// this folder don't fail because of them.
struct StoreChoice {
  let usable: [StoreAtHand]
  private let unusable: [(path: LocalPath, diagnostics: [DiagnosticMessage])]

  /// - Parameter use: The access that the command requires.
  /// - Throws: The error of a store that can't be opened and can't be skipped, or of the first store if none can be
  ///   opened.
  init(_ stores: [StoreAtHand], before use: Store.Access) throws {
    var usable: [StoreAtHand] = []
    var unusable: [(LocalPath, [DiagnosticMessage])] = []
    for store in stores {
      switch store.opened {
      case .success: usable.append(store)
      case .failure(let error as any DiagnosableError) where Self.mayPassOver(error, use):
        unusable.append((store.path, error.diagnostics))
      case .failure: _ = try store.oneOfSeveral()
      }
    }
    if usable.isEmpty, let first = stores.first { _ = try first.oneOfSeveral() }
    self.usable = usable
    self.unusable = unusable
  }

  /// Returns whether a store can be skipped after an error.
  ///
  /// A command that reads skips all stores that can't be opened. A command that writes skips only stores that are
  /// damaged or invalid. It doesn't skip a locked store, for example: the user may have intended this store, and the
  /// command would change another one.
  private static func mayPassOver(_ error: any DiagnosableError, _ use: Store.Access) -> Bool {
    if case DatabaseError.damaged = error { return true }
    if case DatabaseError.needsRecovery = error { return use == .reading }
    return use == .reading || error.diagnostics.first?.cause == .invalid
  }

  /// Warnings about the skipped stores. They are reported after another store has been chosen.
  var warnings: [DiagnosticMessage] {
    unusable.map { path, diagnostics in
      DiagnosticMessage(
        .warning, "store.left-out",
        "\(diagnostics.first?.message ?? "'\(path)' can't be opened"); it is skipped",
        help: diagnostics.first?.help ?? [])
    }
  }
}
