import StoreLayout
import StoreModel
import StoreModelReader

/// The versions of one bundle, each read and hashed once, when it is first asked for.
final class VersionReadings {
  let bundle: ModelBundle
  private let read: (ModelVersion) throws -> ModelReading
  private var readings: [ModelVersion: Result<ModelReading, any Error>] = [:]
  private var candidates: [ModelVersion: [VersionCandidate]] = [:]

  /// - Parameter read: reads the file of a version.
  init(
    of bundle: ModelBundle,
    read: @escaping (ModelVersion) throws -> ModelReading = { try $0.read() }
  ) {
    self.bundle = bundle
    self.read = read
  }

  /// - Throws: what `ModelVersion.read` throws, again for each time that the version is asked for.
  func reading(of version: ModelVersion) throws -> ModelReading {
    if let known = readings[version] { return try known.get() }
    let reading = Result { try read(version) }
    readings[version] = reading
    return try reading.get()
  }

  /// What stores of a version carry: the version as a whole, then each of its configurations.
  ///
  /// - Throws: what `reading(of:)` throws.
  func candidates(of version: ModelVersion) throws -> [VersionCandidate] {
    if let known = candidates[version] { return known }
    let candidates = VersionCandidate.all(of: try reading(of: version).model, name: version.name)
    self.candidates[version] = candidates
    return candidates
  }

  /// What the metadata of a store of a version say.
  ///
  /// - Parameter configuration: the only one that is in the store, by its name; nil for all, as is one that
  ///   the version does not have.
  /// - Throws: what `reading(of:)` throws.
  func fingerprint(
    of version: ModelVersion, configuration: String? = nil
  ) throws -> ModelFingerprint {
    let candidates = try candidates(of: version)
    // A configuration of all entities is no candidate beside the whole.
    let candidate = candidates.first { $0.configuration == configuration } ?? candidates[0]
    return ModelFingerprint(of: try reading(of: version).model, hashes: candidate.hashes)
  }
}
