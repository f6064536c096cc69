import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreModelReader
import Synchronization

/// A model version that has been read, and its origin.
struct FoundModel {
  enum Origin: Hashable {
    /// The files of an available model.
    case files
    /// The compiled model in the store itself.
    case carried
    /// A model inferred from the store's tables, with some guessed names and types.
    case inferred
    /// The available version that is closest to the store's version, without the properties that the store lacks.
    case closest
  }

  /// All versions of the bundle, with a cache of their contents and hashes.
  let versions: VersionsAtHand
  let version: ModelVersion
  let reading: ModelReading
  /// The configuration with which the store was written; nil if the store has all entities of the model.
  let configuration: StoreModel.ConfigurationDescription?
  var origin = Origin.files
  /// Notes that explain the use of a model whose origin isn't `files`, for a caller that prints them.
  var notes: [DiagnosticMessage] = []

  /// - Parameter configuration: The name of the configuration with which the store was written; nil for the whole
  ///   model.
  /// - Throws: An error if the version can't be read.
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

  /// Creates the model of a version that has the store's hashes.
  ///
  /// - Parameter candidate: One of `versions`.
  init(_ candidate: VersionCandidate, of versions: VersionsAtHand) throws {
    try self.init(
      versions.bundle.version(named: candidate.name), of: versions,
      configuration: candidate.configuration)
  }

  /// Creates the model that a store contains.
  ///
  /// - Parameter path: The path of the store.
  init(carried: CarriedModel.Version, by path: LocalPath) throws {
    let bundle = ModelBundle(of: carried.model, from: path, carried.diagnostics)
    try self.init(
      bundle.versions[0], of: VersionsAtHand(of: bundle), configuration: carried.configuration,
      origin: .carried)
  }

  var bundle: ModelBundle { versions.bundle }

  var model: DataModel { reading.model }

  /// `'Todo 2'`, or `'Todo', version 'Todo 2'` if the bundle has another name.
  var description: String {
    bundle.name == version.name ? "'\(bundle.name)'" : "'\(bundle.name)', version '\(version.name)'"
  }

  /// Checks that the store can be written with this model.
  ///
  /// - Throws: `DiagnosticError` for a model with which a store can only be read.
  func requireForWriting(_ store: Store) throws {
    let help: [DiagnosticRemedy] = ["specify the model that wrote it: --model App.xcdatamodeld"]
    switch origin {
    case .files, .carried: return
    case .inferred:
      throw DiagnosticError(
        "model.inferred",
        "'\(store.path)' can only be read without its model: a write could break rules that its tables don't "
          + "contain (required properties, delete rules, validation and exact types)", help: help)
    case .closest:
      throw DiagnosticError(
        "model.closest",
        "'\(store.path)' can only be read, because its model version is unknown: with another version, a write "
          + "could damage it", help: help)
    }
  }
}

/// A store, the model version that wrote it, and the layout of its tables.
struct OpenStore {
  let store: Store
  let found: FoundModel
  let layout: StoreLayout

  var model: DataModel { found.model }

  init(_ store: Store, _ found: FoundModel) throws {
    self.store = store
    self.found = found
    layout = try store.readableLayout(for: found.model, configuration: found.configuration)
  }

  /// Returns the context for printing rows.
  ///
  /// - Parameter unread: Counts the values in external files that can't be read. If it is nil, the first such value is
  ///   an error.
  func context(counting unread: UnreadValues? = nil) -> RowContext {
    RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder, counting: unread))
  }
}

/// The models that were found and read in this process. They are cached, because a process of `each` runs its command
/// on many stores.
enum ModelsOfProcess {
  private struct Known {
    /// The found bundles, by the path of the search. The key is nil if no path is specified.
    var bundles: [LocalPath?: [ModelBundle]] = [:]
    var versions: [ModelBundle: VersionsAtHand] = [:]
  }

  private static let known = Mutex(Known())

  static func bundles(at path: LocalPath?, find: () throws -> [ModelBundle]) rethrows
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

/// The versions of a bundle. Each of them is read and hashed on its first use.
struct VersionsAtHand {
  let readings: VersionReadings
  let hashed: HashedVersions

  init(of bundle: ModelBundle) {
    readings = VersionReadings(of: bundle)
    hashed = HashedVersions(readings)
  }

  var bundle: ModelBundle { readings.bundle }
}
