import SQLiteAccess
import StoreLayout
import StoreVerification
import StoreDiagnostics
import StoreCore
import StoreMigration
import StoreModel
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The models and stores that are available to a command.
///
/// They are specified by the command's options, otherwise by the environment, otherwise by the project's settings. If
/// none of these specifies a store or a model, the working directory is searched.
struct Workspace {
  private let store: LocalPath?
  /// The identifier of the app or app group whose store in a simulator is used instead of `store`; nil without
  /// `--simulator`.
  private let simulator: String?
  /// The model and the version that the command's options specify.
  let named: (model: LocalPath?, modelVersion: String?)
  /// Whether the store is the one in the project's settings.
  private let isStoreOfSettings: Bool
  /// Whether a store of an unknown version is read with the closest available version.
  private(set) var readsClosest = false
  /// Whether the command has the option `--closest`.
  private(set) var acceptsClosest = false

  /// - Parameter closest: The value of `--closest`; nil if the command doesn't have this option.
  init(_ options: StoreOptions, closest: Bool? = nil) {
    self.init(
      store: options.store, simulator: options.simulator, model: options.app ?? options.model,
      modelVersion: options.modelVersion)
    (readsClosest, acceptsClosest) = (closest ?? false, closest != nil)
  }

  init(
    store: LocalPath?, simulator: String? = nil, model: LocalPath?, modelVersion: String?
  ) {
    self.simulator = simulator
    let named = store ?? LocalPath(variable: Self.storeVariable)
    self.store = simulator == nil ? (named ?? Settings.ifSound.store)?.spelled : nil
    isStoreOfSettings = named == nil && self.store != nil
    self.named = (model, modelVersion)
  }

  static let storeVariable = "STORETOOL_STORE"
  static let modelVariable = "STORETOOL_MODEL"

  /// Creates a workspace with the models at a path.
  ///
  /// - Parameter modelPath: The path; nil for the models that the environment or the settings specify, or that are
  ///   found in the working directory.
  init(modelPath: LocalPath?, modelVersion: String? = nil) {
    (store, simulator, isStoreOfSettings) = (nil, nil, false)
    named = (modelPath, modelVersion)
  }

  /// Returns the bundles of the available models. If there are several and a version is specified, only the bundles
  /// that contain this version are returned.
  func bundles() throws -> [ModelBundle] {
    let found = try allBundles()
    guard let version = named.modelVersion, found.count > 1 else { return found }
    return try found.having(version)
  }

  /// Returns the versions of the available models, which are read on first use.
  func versions() throws -> [VersionsAtHand] {
    try bundles().map(ModelsOfProcess.versions)
  }

  /// The path of the model that an option, the environment or the project's settings specify; nil if none does.
  var modelPath: LocalPath? {
    named.model ?? LocalPath(variable: Self.modelVariable) ?? Settings.ifSound.model
  }

  private func allBundles() throws -> [ModelBundle] {
    _ = try Settings.inForce()
    return try ModelsOfProcess.bundles(at: modelPath, find: findBundles)
  }

  private func findBundles() throws -> [ModelBundle] {
    if let modelPath {
      if let own = try OwnModel(at: modelPath) { return [own.found.bundle] }
      return try ModelBundle.find(at: modelPath)
    }
    if let simulator, let app = try Simulators().app(simulator) {
      return try ModelBundle.find(at: app)
    }
    let models: LocalPath = "Models"
    if models.kind != nil {
      return try ModelBundle.find(at: models)
    }
    let found = ModelBundle.sources(below: ".")
    guard !found.isEmpty else { throw DiscoveryError.noModel }
    return found
  }

  /// Returns the only available model.
  ///
  /// - Throws: `DiscoveryError.severalModels`, or another error of finding models.
  func onlyBundle() throws -> ModelBundle {
    let bundles = try bundles()
    guard let bundle = bundles.first, bundles.count == 1 else {
      throw severalModels(bundles)
    }
    return bundle
  }

  /// Returns the error for several models where only one can be used.
  func severalModels(_ bundles: [ModelBundle]) -> DiscoveryError {
    .severalModels(bundles.map(\.path), in: named.model)
  }

  /// Returns the specified or current version of the only available model.
  ///
  /// - Throws: `DiscoveryError.severalModels`, or another error of finding or reading models.
  func currentModel() throws -> FoundModel {
    let bundle = try onlyBundle()
    return try FoundModel(version(of: bundle), of: ModelsOfProcess.versions(of: bundle))
  }

  /// Returns the specified or current version of the only available model without reading it.
  ///
  /// - Throws: `DiscoveryError.severalModels`, or another error of finding models.
  func currentVersion() throws -> ModelVersion { try version(of: onlyBundle()) }

  /// Returns the specified or current version of a bundle.
  func version(of bundle: ModelBundle) throws -> ModelVersion {
    try named.modelVersion.map { try bundle.version(named: $0) } ?? bundle.requireCurrentVersion()
  }

  /// Returns the available stores that can be opened.
  func usableStores() throws -> [StoreAtHand] { try storesAtHand().filter(\.isUsable) }

  /// Returns the model version that an argument specifies by its name or its path. A version of the available models
  /// has precedence over a path.
  ///
  /// - Throws: `DiscoveryError.severalModels` if several models have a version with this name, another
  ///   `DiscoveryError`, or an error of reading the model.
  func model(_ versionOrPath: LocalPath) throws -> FoundModel {
    let (path, name) = (versionOrPath, "\(versionOrPath)")
    let isPath = path.kind != nil
    let bundles: [ModelBundle]
    do {
      bundles = try self.bundles()
    } catch DiscoveryError.noModel where isPath {
      bundles = []
    }
    let isName = path.folder.isEmpty
    let having = bundles.filter { isName && $0.hasVersion(named: name) }
    guard let bundle = having.first else {
      if !isPath, ModelBundle.isPath(path) {
        throw ModelBundleError.noSuchFile(path)
      }
      if isPath { return try Workspace(modelPath: path).currentModel() }
      let known = bundles.flatMap { $0.versions.map(\.name) }
      throw DiscoveryError.noModelHasVersion(name, known: known)
    }
    guard having.count == 1 else { throw severalModels(having) }
    let version = try bundle.version(named: name)
    return try FoundModel(version, of: ModelsOfProcess.versions(of: bundle))
  }

  /// Returns the version that wrote the only available store, or the only one of several that can be opened. If there
  /// is no such store, or a version is specified, returns the specified or current version of the only available model.
  func modelOfStore() throws -> FoundModel {
    let stores = try storesAtHand()
    guard named.modelVersion == nil, let first = stores.first else { return try currentModel() }
    guard stores.count > 1 else { return try model(of: first.opened.get()) }
    let usable = stores.filter(\.isUsable)
    guard usable.count == 1 else { return try currentModel() }
    return try model(of: only(of: StoreChoice(stores, before: .reading), stores).opened.get())
  }

  /// Opens the store that contains the subject of the command, with the model version that wrote it.
  ///
  /// - Parameters:
  ///   - access: The access of the returned store.
  ///   - use: The access that the command requires later, if it differs. If it is `.writing`, an unfinished transaction
  ///     of a crashed process is rolled back.
  /// - Throws: `DiscoveryError`, `DatabaseError`, `UnknownVersion`, an error of reading the model, or an error of
  ///   `requireForWriting`.
  func openStore(
    having subject: Subject? = nil, for access: Store.Access = .reading,
    before use: Store.Access? = nil
  ) throws -> OpenStore {
    let found: Candidate
    do {
      found = try find(subject, before: use ?? access)
    } catch let error as UnknownVersion where access == .writing && error.gap?.writer != nil {
      throw error.helping("or migrate the store first: storetool migrate")
    }
    guard access == .writing else { return try OpenStore(found.store, found.model) }
    try found.model.requireForWriting(found.store)
    // SQLite shares the -shm file among the connections of a process. While a connection that may only read is open,
    // other connections can't write.
    try found.store.close()
    return try OpenStore(Store.open(found.store.path, .writing), found.model)
  }

  typealias Candidate = (store: Store, model: FoundModel)

  /// Finds the store that contains the subject of the command, and opens it for reading. The layout of its tables isn't
  /// determined.
  ///
  /// - Throws: `DiscoveryError`, `DatabaseError`, `UnknownVersion`, or an error of reading the model.
  func find(_ subject: Subject?, before use: Store.Access) throws -> Candidate {
    if let subject, StoreAtHand.isName(subject.name) { throw DiscoveryError.storeForName(subject) }
    reportStore(before: use)
    let stores = try storesAtHand()
    guard let first = stores.first else { throw DiscoveryError.noStore }
    if stores.count == 1 {
      let store = try first.recovered(before: use)
      return (store, try model(of: store))
    }
    let choice = try StoreChoice(stores, before: use)
    guard let subject else {
      let store = try only(of: choice, stores).recovered(before: use)
      return (store, try model(of: store))
    }
    let candidates = try candidates(of: choice.usable.map { try $0.oneOfSeveral() })
    Terminal.report(choice.warnings)
    let fitting = candidates.filter { $0.model.model.has(subject) }
    guard let found = fitting.first else {
      throw DiscoveryError.noStoreHas(
        subject, known: candidates.flatMap { $0.model.model.names(like: subject) })
    }
    guard fitting.count == 1 else {
      throw DiscoveryError.severalStoresHave(subject, fitting.map(\.store.path))
    }
    Terminal.report(found.model.notes)
    return found
  }

  /// Returns the store to migrate, and its version.
  ///
  /// - Throws: `DiscoveryError`, or an error of `source(of:takesNewer:)`.
  func findToMigrate(
    before use: Store.Access, takesNewer: Bool
  ) throws -> (store: Store, source: SourceVersion, bundle: ModelBundle) {
    reportStore(before: use)
    let store = try onlyStore(before: use).recovered(before: use)
    let (source, bundle) = try source(of: store, takesNewer: takesNewer)
    return (store, source, bundle)
  }

  // MARK: Files

  /// Returns the path of the only available store. If the user specifies a file, it isn't checked.
  ///
  /// - Throws: `DiscoveryError` if there is no store, or if there are several and not exactly one of them can be
  ///   opened, or an error of opening stores.
  func storePath(before use: Store.Access = .reading) throws -> LocalPath {
    _ = try Settings.inForce()
    reportStore(before: use)
    if let store, store.kind != .folder { return store }
    return try onlyStore(before: .reading).path
  }

  /// Prints a note about the store if the settings specify it and the command changes it.
  private func reportStore(before use: Store.Access) {
    guard use == .writing, isStoreOfSettings, let store, let file = Settings.ifSound.file else {
      return
    }
    Terminal.report([
      DiagnosticMessage(.note, "settings.store", "the store is '\(store)', as '\(file)' specifies")
    ])
  }

  /// Returns the only available store, even if it can't be opened, or the only one of several that can be opened.
  private func onlyStore(before use: Store.Access) throws -> StoreAtHand {
    let stores = try storesAtHand()
    guard let only = stores.first else { throw DiscoveryError.noStore }
    guard stores.count > 1 else { return only }
    return try self.only(of: StoreChoice(stores, before: use), stores)
  }

  /// Returns the only one of several stores that can be opened.
  private func only(of choice: StoreChoice, _ stores: [StoreAtHand]) throws -> StoreAtHand {
    guard let only = choice.usable.first, choice.usable.count == 1 else {
      throw DiscoveryError.severalStores(stores.map(\.path))
    }
    Terminal.report(choice.warnings)
    return only
  }

  /// Returns the paths of the specified or found stores.
  func storePaths() throws -> [LocalPath] { try storesAtHand().map(\.path) }

  /// Returns the specified store, all stores in the specified folder, or the stores of the specified app. If none is
  /// specified, these are the stores in the working directory, without its subfolders.
  private func storesAtHand() throws -> [StoreAtHand] {
    _ = try Settings.inForce()
    if let simulator { return try Simulators().stores(of: simulator).map(StoreAtHand.init) }
    if let store {
      guard store.kind == .folder else { return [StoreAtHand(store)] }
      let stores = try StoreAtHand.all(below: store)
      if stores.isEmpty { throw DiscoveryError.noStoreIn(store) }
      return stores
    }
    let here: LocalPath = "."
    return try names(in: here).filter { StoreAtHand.isName("\($0)") }
      .map(StoreAtHand.init).filter(\.isStore)
  }

  private func names(in folder: LocalPath) throws(DatabaseError) -> [LocalPath] {
    do {
      return try folder.names()
    } catch {
      throw DatabaseFile.error(error, folder)
    }
  }

  /// Returns the value of an environment variable; nil if it isn't set or is empty.
  static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension DataModel {
  fileprivate func has(_ subject: Subject) -> Bool {
    switch subject {
    case .entity(let name): entity(named: name) != nil
    case .template(let name): template(named: name) != nil
    }
  }

  fileprivate func names(like subject: Subject) -> [String] {
    switch subject {
    case .entity: entities.map(\.name)
    case .template: (templates + fetchedPropertyTemplates).map(\.name)
    }
  }
}
