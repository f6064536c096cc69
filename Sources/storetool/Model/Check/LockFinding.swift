import StoreDiagnostics
import StoreModelReader

/// What a check of versions against the lock file, and against each other, finds.
enum LockFinding {
  case edited(ModelVersion, VersionLock.Entry)
  case removed(VersionLock.Entry)
  /// - Parameters:
  ///   - as: all versions before it that have its hashes.
  ///   - isPast: all are released, nobody can change it any more.
  case sameHash(ModelVersion, as: [ModelVersion], isPast: Bool)

  var diagnostic: Diagnostic {
    switch self {
    case .edited(let version, let entry):
      Diagnostic(
        .error, "lock.edited", "the released version '\(version.name)' was edited",
        at: SourcePlace(file: "\(version.path)", line: 1, column: 1),
        help: [
          "its stores carry other hashes: undo the edit, and make it in a new version",
          "it was released with \(entry.hash)\(entry.place.map { ", \($0)" } ?? "")",
        ])
    case .removed(let entry):
      Diagnostic(
        .error, "lock.removed",
        "the released version '\(entry.version)' was removed: its stores can't be opened any more",
        at: entry.place,
        help: ["restore it, or remove this line to give up its stores"])
    case .sameHash(let version, let others, let isPast):
      Diagnostic(
        isPast ? .note : .warning, "model.same-hash",
        "'\(version.name)' has the version hashes of \(others.map { "'\($0.name)'" }.joined(separator: " and ")):"
          + " no store is migrated from the one to the other",
        at: SourcePlace(file: "\(version.path)", line: 1, column: 1),
        help: [
          "'storetool model diff' says what differs; a versionHashModifier tells them apart"
        ])
    }
  }
}
