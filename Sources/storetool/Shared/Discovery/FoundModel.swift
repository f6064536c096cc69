import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreModelReader
import Synchronization

/// A model version that has been read, and where it comes from.
struct FoundModel {
  enum Origin: Hashable {
    case files
    /// The store itself carries it, compiled.
    case carried
    /// The store's tables show it, names and types partly guessed.
    case inferred
    /// The version at hand that is nearest to the one that wrote the store, without what the store lacks.
    case closest
  }

  /// Those of its bundle, with what has been read of the others.
  let versions: VersionsAtHand
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
    _ version: ModelVersion, of versions: VersionsAtHand, configuration name: String? = nil,
    origin: Origin = .files
  ) throws {
    self.origin = origin
    self.versions = versions
    self.version = version
    reading = try versions.readings.reading(of: version)
    configuration = reading.model.configurations.first { $0.name == name }
  }

  /// - Parameter candidate: one of the versions.
  init(_ candidate: VersionCandidate, of versions: VersionsAtHand) throws {
    try self.init(
      versions.bundle.version(named: candidate.name), of: versions,
      configuration: candidate.configuration)
  }

  /// The model that a store carries.
  ///
  /// - Parameter path: the store's.
  init(carried: CarriedModel.Version, by path: FilePath) throws {
    let bundle = ModelBundle(of: carried.model, from: path, carried.diagnostics)
    try self.init(
      bundle.versions[0], of: VersionsAtHand(of: bundle), configuration: carried.configuration,
      origin: .carried)
  }

  var bundle: ModelBundle { versions.bundle }

  var model: Model { reading.model }

  /// `'Todo 2'`, or `'Todo', version 'Todo 2'` where the bundle's name says more.
  var description: String {
    bundle.name == version.name ? "'\(bundle.name)'" : "'\(bundle.name)', version '\(version.name)'"
  }

  /// - Throws: `InferredModelError`
  func requireForWriting(_ store: Store) throws {
    switch origin {
    case .files, .carried: return
    case .inferred: throw InferredModelError(store: store.path)
    case .closest: throw ClosestModelError(store: store.path)
    }
  }
}

/// A store, the model version that wrote it, and where the one lies in the other.
struct OpenStore {
  let store: Store
  let found: FoundModel
  let layout: StoreLayout

  var model: Model { found.model }

  init(_ store: Store, _ found: FoundModel) throws {
    self.store = store
    self.found = found
    layout = try store.readableLayout(for: found.model, configuration: found.configuration)
  }

  /// What rows need to be written out.
  ///
  /// - Parameter unread: counts values whose files are not read; without it the first one is an error.
  func context(counting unread: UnreadValues? = nil) -> RowContext {
    RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder, counting: unread))
  }
}

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
