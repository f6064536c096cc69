import StoreLayout
import StoreModelReader

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
