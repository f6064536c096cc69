import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout

/// A file that may be the store of a command. It is opened for reading once.
struct StoreAtHand {
  let path: FilePath
  let opened: Result<Store, any Error>

  static let suffixes = [".sqlite", ".sqlite3", ".db", ".store", ".storedata"]

  /// Whether a name has the extension of a store.
  static func isName(_ name: String) -> Bool { suffixes.contains(where: name.hasSuffix) }

  init(_ path: FilePath) {
    self.path = path
    opened = Result { try Store.open(path, .reading) }
  }

  /// Returns the stores in a folder and its subfolders. The folder can be an app's container, or a copy of it, such as
  /// an `.xcappdata` package.
  ///
  /// - Throws: `UnreadableFolder` if a folder can't be read.
  static func all(below folder: FilePath) throws -> [StoreAtHand] {
    var files = StorePaths(filter: nil)
    try files.add(folder)
    return files.paths.map(StoreAtHand.init).filter(\.isStore)
  }

  /// Whether the file is a store. A file that can't be checked because it is locked or damaged may be one.
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

  /// Returns the store. Before a write, the transaction of a crashed process is rolled back first.
  func recovered(before use: Store.Access) throws -> Store {
    do {
      return try opened.get()
    } catch DatabaseError.needsRecovery where use == .writing {
      try Store.open(path, .writing).close()
      return try Store.open(path, .reading)
    }
  }

  /// Returns the store. An unreadable store is an error, because it may be the intended one.
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

/// The stores of a folder that can be opened. Others are skipped, so that they don't block commands for this folder.
struct StoreChoice {
  let usable: [StoreAtHand]
  private let unusable: [(path: FilePath, diagnostics: [Diagnostic])]

  /// - Parameter use: The access that the command needs.
  /// - Throws: The error of a store that can't be opened, but may be the intended one.
  init(_ stores: [StoreAtHand], before use: Store.Access) throws {
    var usable: [StoreAtHand] = []
    var unusable: [(FilePath, [Diagnostic])] = []
    for store in stores {
      switch store.opened {
      case .success: usable.append(store)
      case .failure(let error as any DiagnosableError) where Self.mayPassOver(error, use):
        unusable.append((store.path, error.diagnostics))
      case .failure: _ = try store.oneOfSeveral()
      }
    }
    // Without other stores, this one was intended.
    if usable.isEmpty, let first = stores.first { _ = try first.oneOfSeveral() }
    self.usable = usable
    self.unusable = unusable
  }

  /// Returns whether a store that can't be opened can be skipped. A damaged store is damaged for all commands. A locked
  /// store may be the target of a write, which would change another store.
  private static func mayPassOver(_ error: any DiagnosableError, _ use: Store.Access) -> Bool {
    if case DatabaseError.damaged = error { return true }
    if case DatabaseError.needsRecovery = error { return use == .reading }
    return use == .reading || error.diagnostics.first?.cause == .invalid
  }

  /// Warnings about skipped stores, for use after another store has been chosen.
  var warnings: [Diagnostic] {
    unusable.map { path, diagnostics in
      Diagnostic(
        .warning, "store.left-out",
        "\(diagnostics.first?.message ?? "'\(path)' can't be opened"); it is skipped",
        help: ["to use it, specify it: --store '\(path)'"])
    }
  }
}
