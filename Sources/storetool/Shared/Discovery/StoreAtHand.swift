import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout

/// A file that a command may be about, opened for reading once.
struct StoreAtHand {
  let path: FilePath
  let opened: Result<Store, any Error>

  static let suffixes = [".sqlite", ".sqlite3", ".db", ".store", ".storedata"]

  /// Whether a file of that name would be taken for a store.
  static func isName(_ name: String) -> Bool { suffixes.contains(where: name.hasSuffix) }

  init(_ path: FilePath) {
    self.path = path
    opened = Result { try Store.open(path, .reading) }
  }

  /// The stores in a folder and the folders below it: an app's container, or a copy of one, such as an `.xcappdata` package.
  ///
  /// - Throws: `UnreadableFolder`
  static func all(below folder: FilePath) throws -> [StoreAtHand] {
    var files = StorePaths(filter: nil)
    try files.add(folder)
    return files.paths.map(StoreAtHand.init).filter(\.isStore)
  }

  /// One that can't be looked at now, being locked or damaged, may be a store.
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

  /// The store; before a write, what a crash has left is rolled back first. Reading leaves it.
  func recovered(before use: Store.Access) throws -> Store {
    do {
      return try opened.get()
    } catch DatabaseError.needsRecovery where use == .writing {
      try Store.open(path, .writing).close()
      return try Store.open(path, .reading)
    }
  }

  /// It may be the one that is meant, so it is not passed over where it can't be read.
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

/// The stores of a folder, those apart that can't be opened: one of them must not stop every command there.
struct StoreChoice {
  let usable: [StoreAtHand]
  private let unusable: [(path: FilePath, diagnostics: [Diagnostic])]

  /// - Parameter use: what is about to be done.
  /// - Throws: what opening one throws that may be the one that is meant.
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
    // With nothing else here, it is what was meant.
    if usable.isEmpty, let first = stores.first { _ = try first.oneOfSeveral() }
    self.usable = usable
    self.unusable = unusable
  }

  /// What is damaged is damaged for every command. What is locked now may be just what a write was meant for, which
  /// would go to another store.
  private static func mayPassOver(_ error: any DiagnosableError, _ use: Store.Access) -> Bool {
    if case DatabaseError.damaged = error { return true }
    if case DatabaseError.needsRecovery = error { return use == .reading }
    return use == .reading || error.diagnostics.first?.cause == .invalid
  }

  /// To be told once another store has been chosen.
  var warnings: [Diagnostic] {
    unusable.map { path, diagnostics in
      Diagnostic(
        .warning, "store.left-out",
        "\(diagnostics.first?.message ?? "'\(path)' can't be opened"); it is skipped",
        help: ["to use it, specify it: --store '\(path)'"])
    }
  }
}
