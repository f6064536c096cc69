import SQLiteAccess
import StoreDiagnostics
import StoreCore

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
        "\(diagnostics.first?.message ?? "'\(path)' can't be opened"); it is left out",
        help: ["if it is the one that is meant, name it: --store '\(path)'"])
    }
  }
}
