import StoreDiagnostics
import StoreModel
import StoreModelReader

/// Checks the versions of one model against its lock file and against each other: whether their hashes differ, and
/// whether stores of each version can be migrated to the current one.
struct VersionCheck {
  let bundle: ModelBundle
  /// The readable versions.
  let readings: [(version: ModelVersion, reading: ModelReading)]
  let migrations: LocalPath
  /// The oldest version whose stores must be able to migrate to the current one; nil for all.
  var oldest: String?

  /// Returns the findings. An unreadable lock file is also a finding.
  ///
  /// - Throws: An error that isn't a `DiagnosableError`.
  func findings() throws -> [DiagnosticMessage] {
    let hashes = readings.map { ($0.version, $0.version.lockHash(of: $0.reading)) }
    do {
      let lock = try VersionLock.read(of: bundle, in: migrations)
      let steps = ReachCheck(
        bundle: bundle, readings: readings, migrations: migrations, oldest: oldest)
      return lockFindings(lock, hashes) + twinFindings(lock, hashes) + (try orderFindings())
        + (try steps.findings())
    } catch let mistakes as any DiagnosableError {
      return mistakes.diagnostics
    }
  }

  private func lockFindings(
    _ lock: VersionLock, _ hashes: [(version: ModelVersion, hash: String)]
  ) -> [DiagnosticMessage] {
    lock.entries.compactMap { entry in
      guard bundle.hasVersion(named: entry.version) else {
        return LockFinding.removed(entry).diagnostic
      }
      // An unreadable version has its own findings.
      guard let (version, hash) = hashes.first(where: { $0.version.name.isExactly(entry.version) }),
        hash != entry.hash
      else { return nil }
      return LockFinding.edited(version, entry).diagnostic
    }
  }

  /// Returns a finding if versions follow the current version, according to their names and definitions. Either the
  /// last of them should be the current version, or they are unfinished.
  private func orderFindings() throws -> [DiagnosticMessage] {
    let definitions = try DefinitionFolder.find(of: bundle, in: migrations)
    let order = VersionOrder(
      of: bundle.versions.map(\.name), current: nil, migrations: definitions.jumps)
    guard let current = bundle.currentVersion, let last = order.names.last,
      !last.isExactly(current.name)
    else { return [] }
    return [
      DiagnosticMessage(
        .warning, "model.current-not-last",
        "'\(last)' comes after the current version '\(current.name)'",
        at: SourcePlace(file: "\(current.path)", line: 1, column: 1),
        help: [
          """
          make it the current version, or, if '\(last)' is older, write a migration definition from it to \
          '\(current.name)'
          """
        ])
    ]
  }

  private func twinFindings(
    _ lock: VersionLock, _ hashes: [(version: ModelVersion, hash: String)]
  ) -> [DiagnosticMessage] {
    hashes.indices.compactMap { index in
      let (version, hash) = hashes[index]
      let twins = hashes[..<index].filter { $0.hash == hash }.map(\.version)
      guard !twins.isEmpty else { return nil }
      let isPast = ([version] + twins).allSatisfy { lock.entry(for: $0.name) != nil }
      return LockFinding.sameHash(version, as: twins, isPast: isPast).diagnostic
    }
  }
}

/// A finding of the check of versions against the lock file and against each other.
enum LockFinding {
  case edited(ModelVersion, VersionLock.Entry)
  case removed(VersionLock.Entry)
  /// - Parameters:
  ///   - as: All earlier versions with the same hashes.
  ///   - isPast: Whether this version and all versions in `as` are released, so that they can't be changed.
  case sameHash(ModelVersion, as: [ModelVersion], isPast: Bool)

  var diagnostic: DiagnosticMessage {
    switch self {
    case .edited(let version, let entry):
      DiagnosticMessage(
        .error, "lock.edited", "the released version '\(version.name)' was edited",
        at: SourcePlace(file: "\(version.path)", line: 1, column: 1),
        help: [
          "existing stores have the old hashes: revert the edit, and repeat it in a new version",
          "its hash at release was \(entry.hash)\(entry.place.map { " (\($0))" } ?? "")",
        ])
    case .removed(let entry):
      DiagnosticMessage(
        .error, "lock.removed",
        "the released version '\(entry.version)' was removed, so its stores can no longer be opened",
        at: entry.place,
        help: ["restore it, or remove this line to stop supporting its stores"])
    case .sameHash(let version, let others, let isPast):
      DiagnosticMessage(
        isPast ? .note : .warning, "model.same-hash",
        "'\(version.name)' has the same version hashes as \(others.map { "'\($0.name)'" }.joined(separator: " and ")):"
          + " stores aren't migrated between them",
        at: SourcePlace(file: "\(version.path)", line: 1, column: 1),
        help: [
          "'storetool model diff' shows the differences; a versionHashModifier gives them different hashes"
        ])
    }
  }
}
