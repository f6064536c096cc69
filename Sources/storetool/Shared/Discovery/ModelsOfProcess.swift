import StoreDiagnostics
import StoreLayout
import StoreModelReader
import Synchronization

/// The models that were found, each found and read once: a process may run its command for many stores.
enum ModelsOfProcess {
  private struct Known {
    /// By the path where they were looked for; nil for the working directory.
    var bundles: [FilePath?: [ModelBundle]] = [:]
    var versions: [ModelBundle: VersionsAtHand] = [:]
  }

  private static let known = Mutex(Known())

  static func bundles(at path: FilePath?, find: () throws -> [ModelBundle]) rethrows
    -> [ModelBundle]
  {
    if let found = known.withLock({ $0.bundles[path] }) { return found }
    let found = try find()
    known.withLock { $0.bundles[path] = found }
    return found
  }

  static func versions(of bundle: ModelBundle) -> VersionsAtHand {
    known.withLock { known in
      if let versions = known.versions[bundle] { return versions }
      let versions = VersionsAtHand(of: bundle)
      known.versions[bundle] = versions
      return versions
    }
  }
}

/// The versions of one bundle, each read and hashed once, when it is first asked for.
struct VersionsAtHand {
  let readings: VersionReadings
  let hashed: HashedVersions

  init(of bundle: ModelBundle) {
    readings = VersionReadings(of: bundle)
    hashed = HashedVersions(readings)
  }

  var bundle: ModelBundle { readings.bundle }
}
