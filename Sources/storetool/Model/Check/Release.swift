import StoreLayout
import StoreDiagnostics
import StoreModelReader

/// The versions of a model on their way into its lock file.
struct Release {
  /// With the new versions.
  private(set) var lock: VersionLock
  let versions: [ModelVersion]
  private(set) var added: Set<ExactText> = []
  /// Versions that can't be hashed.
  private(set) var notes: [Diagnostic] = []

  /// - Throws: `DiagnosticError` where a version has another hash than its line; what reading the
  ///   lock file or a version throws.
  init(of versions: [ModelVersion], of bundle: ModelBundle, in folder: FilePath) throws {
    self.versions = versions
    lock = try VersionLock.read(of: bundle, in: folder)
    var edited: [Diagnostic] = []
    for version in versions {
      guard version.isReadable else {
        notes.append(
          Diagnostic(.note, "lock.no-xml", "'\(version.name)' is not locked: it is not XML"))
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
  /// What the lock file has for a version, base64.
  func lockHash(of reading: ModelReading) -> String {
    StoreChecksum.checksum(of: VersionHash.hashes(of: reading.model))
  }
}
