import StoreLayout
import StoreDiagnostics
import StoreEngine
import StoreModel
import StoreModelReader

/// A model version that has been read, and where it comes from.
struct FoundModel {
  enum Origin: Hashable {
    case files
    /// The store itself carries it, compiled.
    case carried
    /// The store's tables show it, names and types partly guessed.
    case inferred
  }

  /// Of its bundle, with what has been read of the other versions.
  let readings: VersionReadings
  let version: ModelVersion
  let reading: ModelReading
  /// Set where a store was written through one configuration only.
  let configuration: StoreModel.Configuration?
  var origin = Origin.files
  /// What is to be said where the model is used in place of one at hand.
  var notes: [Diagnostic] = []

  /// - Parameter configuration: the name of the one that a store was written through; nil for all.
  /// - Throws: what reading the version throws.
  init(
    _ version: ModelVersion, of readings: VersionReadings, configuration name: String? = nil,
    origin: Origin = .files
  ) throws {
    self.origin = origin
    self.readings = readings
    self.version = version
    reading = try readings.reading(of: version)
    configuration = reading.model.configurations.first { $0.name == name }
  }

  var bundle: ModelBundle { readings.bundle }

  var model: Model { reading.model }

  /// - Throws: `InferredModelError`
  func requireForWriting(_ store: Store) throws {
    guard origin != .inferred else { throw InferredModelError(store: store.path) }
  }

  /// One that a store carries, among the versions of the bundle that the store is migrated in.
  func asVersion(of bundle: ModelBundle) throws -> FoundModel {
    let name = "carried"
    let bundle = bundle.adding(version, named: name)
    var found = try FoundModel(
      bundle.version(named: name), of: VersionReadings(of: bundle),
      configuration: configuration?.name, origin: origin)
    found.notes = [
      Diagnostic(
        .note, "model.carried",
        "no version of '\(bundle.path)' has the store's version hashes; the model that the store carries is the source"
      )
    ]
    return found
  }

  /// `Todo 2`, or `Todo: Todo 2` where the bundle's name says more.
  var description: String {
    bundle.name == version.name ? "'\(bundle.name)'" : "'\(bundle.name)', version '\(version.name)'"
  }
}

/// Looks in a bundle for the version that wrote a store.
struct ModelMatcher {
  let hashes: [String: [UInt8]]
  /// The only version to look at, where the user named one.
  let versionName: String?
  /// What was looked at and did not fit, for the explanation.
  private(set) var candidates: [VersionCandidate] = []
  /// Versions that could not be read, and why.
  private(set) var unreadable: [Diagnostic] = []

  /// There are versions, but what is wrong is in them: of the store nothing can be said.
  var readNothing: Bool { candidates.isEmpty && !unreadable.isEmpty }

  var unreadableNotes: [Diagnostic] {
    unreadable.map { $0.asNote("not looked at") }
  }

  init(hashes: [String: [UInt8]], versionName: String?) {
    self.hashes = hashes
    self.versionName = versionName
  }

  /// The first version that fits.
  mutating func match(in readings: VersionReadings) throws -> FoundModel? {
    for version in try versions(of: readings.bundle) {
      guard let own = try candidates(of: version, in: readings) else { continue }
      candidates += own
      guard let fitting = own.first(where: { $0.hashes == hashes }) else { continue }
      return try FoundModel(version, of: readings, configuration: fitting.configuration)
    }
    return nil
  }

  private func versions(of bundle: ModelBundle) throws -> [ModelVersion] {
    if let versionName { return [try bundle.version(named: versionName)] }
    return bundle.versionsLikelyFirst
  }

  /// A version that can't be read may still be the wrong one: it stops nothing unless it was named.
  private mutating func candidates(
    of version: ModelVersion, in readings: VersionReadings
  ) throws -> [VersionCandidate]? {
    do {
      return try readings.candidates(of: version)
    } catch let error as any DiagnosableError where versionName == nil {
      unreadable += error.diagnostics.filter { $0.severity == .error }
      return nil
    }
  }
}

extension ModelBundle {
  /// The current version first, then the later ones before the earlier: of versions with equal hashes
  /// the first is the one that a store is taken to be of.
  var versionsLikelyFirst: [ModelVersion] {
    let current = currentVersion
    return [current].compactMap { $0 } + versions.reversed().filter { $0 != current }
  }
}

extension Diagnostic {
  /// - Parameter prefix: what the message is about, here.
  func asNote(_ prefix: String? = nil) -> Diagnostic {
    var note = self
    note.severity = .note
    if let prefix { note.message = "\(prefix): \(message)" }
    return note
  }
}
