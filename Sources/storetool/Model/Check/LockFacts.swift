import StoreDiagnostics
import StoreModelReader

/// The facts of `model lock`: a record for each line of the lock files.
enum LockFacts {
  private struct Line: Encodable {
    let model, version, hash, state: String
    let file: FilePath
  }

  static func facts(of releases: [Release]) -> Facts {
    let lines = releases.flatMap { release in
      release.lock.entries.map { entry in
        let isAdded = release.added.contains(ExactText(entry.version))
        return Line(
          model: release.lock.model, version: entry.version, hash: entry.hash,
          state: isAdded ? "added" : "locked", file: release.lock.path)
      }
    }
    return .records(columns: ["model", "version", "hash", "state"], lines)
  }
}
