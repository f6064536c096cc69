import ArgumentParser
import StoreDiagnostics
import StoreLayout
import StoreModelReader

struct ModelLockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Record the hashes of released versions.",
    discussion: """
      The command adds a line to Migrations/<Model>.lock for each version that the file doesn't contain. \
      --released omits the current version, which may be unfinished. --model-version adds only one version. Run \
      the command for each release. From then on, 'model check' fails if a recorded version is edited or \
      removed. Existing lines are never changed. If the hash of a recorded version has changed, nothing is \
      written.

        storetool model lock
        storetool model lock --released
        storetool model lock Models/Todo.xcdatamodeld --model-version 'Todo 2'
      """)

  @OptionGroup var model: ModelArgument

  @Flag(
    name: .customLong("released"), help: "Omit the current version, which may still change.")
  var leavesOutCurrent = false

  @OptionGroup var migrations: MigrationsOption
  @OptionGroup var format: FormatOptions

  func validate() throws {
    if leavesOutCurrent, model.options.modelVersion != nil {
      throw ValidationError(
        "--released and --model-version can't be combined")
    }
  }

  func run() throws {
    let released = try model.workspace.bundles().map { bundle in
      try Release(of: versions(of: bundle), of: bundle, in: migrations.folder(of: bundle))
    }
    for release in released where !release.added.isEmpty { try release.lock.write() }
    let lines = released.flatMap { release in
      release.lock.entries.map { entry in
        let isAdded = release.added.contains(ExactText(entry.version))
        return Line(
          model: release.lock.model, version: entry.version, hash: entry.hash,
          state: isAdded ? "added" : "locked", file: release.lock.path)
      }
    }
    try FactWriter(format).print(
      .records(columns: ["model", "version", "hash", "state"], lines))
    for release in released {
      Terminal.report(release.notes)
      let count = release.added.count.counted("version")
      Terminal.err.write("\(release.lock.path): \(count) added\n")
    }
  }

  /// A line of a lock file.
  private struct Line: Encodable {
    let model, version, hash, state: String
    let file: LocalPath
  }

  private func versions(of bundle: ModelBundle) throws -> [ModelVersion] {
    if let version = model.options.modelVersion { return [try bundle.version(named: version)] }
    guard leavesOutCurrent else { return bundle.versions }
    let current = try bundle.requireCurrentVersion().name
    return bundle.versions.filter { !$0.name.isExactly(current) }
  }
}

/// A model's lock file, to which versions are added.
struct Release {
  /// The lock file, including the added versions.
  private(set) var lock: VersionLock
  private(set) var added: Set<ExactText> = []
  /// Notes about versions that can't be hashed, because they aren't XML.
  private(set) var notes: [DiagnosticMessage] = []

  /// - Throws: `DiagnosticError` if the hash of a version differs from its line, or an error of reading the lock file
  ///   or a version.
  init(of versions: [ModelVersion], of bundle: ModelBundle, in folder: LocalPath) throws {
    lock = try VersionLock.read(of: bundle, in: folder)
    var edited: [DiagnosticMessage] = []
    for version in versions {
      guard version.isReadable else {
        notes.append(
          DiagnosticMessage(
            .note, "lock.no-xml", "'\(version.name)' isn't locked, because it isn't XML"))
        continue
      }
      let hash = version.lockHash(of: try version.read())
      guard let entry = lock.entry(for: version.name) else {
        lock.add(version.name, hash: hash)
        added.insert(ExactText(version.name))
        continue
      }
      if entry.hash != hash { edited.append(LockFinding.edited(version, entry).diagnostic) }
    }
    guard edited.isEmpty else { throw DiagnosticError(edited) }
  }
}

extension ModelVersion {
  /// Returns the hash to record in the lock file for the version, in base64.
  func lockHash(of reading: ModelReading) -> String {
    StoreChecksum.checksum(of: VersionHash.hashes(of: reading.model))
  }
}
