import StoreDiagnostics
import StoreModelReader

/// The facts of `model lock`: a record for each line of the lock files.
enum LockFacts {
  static func facts(of releases: [Release]) -> Facts {
    .records(
      columns: ["model", "version", "hash", "state"],
      releases.flatMap { release in
        release.lock.entries.map { entry in
          var object = FactObject()
          object.add("model", release.lock.model)
          object.add("version", entry.version)
          object.add("hash", entry.hash)
          object.add("state", release.added.contains(ExactText(entry.version)) ? "added" : "locked")
          object.add("file", release.lock.path)
          return object.value
        }
      })
  }
}
