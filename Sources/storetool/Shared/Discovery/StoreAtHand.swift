import SQLiteAccess
import StoreDiagnostics
import StoreCore
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
          $0.helping("it is not the only store here: name the one that you mean with --store")
        })
    }
  }
}
