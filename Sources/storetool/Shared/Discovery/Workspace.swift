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

/// The models and stores that a command is about: those that its options name, else those that the
/// environment names, else the project's settings, else those in the working directory.
struct Workspace {
  private let store: FilePath?
  /// The bundle identifier of an app in a simulator, which has the store in place of `store`.
  private let simulator: String?
  let named: (model: FilePath?, modelVersion: String?)
  /// Whether the project's settings choose the store.
  private let isStoreOfSettings: Bool
  /// Whether a store of no version at hand is read by the nearest one.
  private(set) var readsClosest = false

  init(_ options: StoreOptions) {
    self.init(
      store: options.store, simulator: options.simulator, model: options.app ?? options.model,
      modelVersion: options.modelVersion)
  }

  /// For commands that only read.
  init(_ options: StoreOptions, closest: Bool) {
    self.init(options)
    readsClosest = closest
  }

  init(
    store: FilePath?, simulator: String? = nil, model: FilePath?, modelVersion: String?
  ) {
    self.simulator = simulator
    let named = store ?? FilePath(variable: Self.storeVariable)
    self.store = simulator == nil ? (named ?? Settings.ifSound.store)?.spelled : nil
    isStoreOfSettings = named == nil && self.store != nil
    self.named = (model, modelVersion)
  }

  static let storeVariable = "STORETOOL_STORE"
  static let modelVariable = "STORETOOL_MODEL"

  init(model: ModelOptions) {
    (store, simulator, isStoreOfSettings) = (nil, nil, false)
    named = (model.model, model.modelVersion)
  }

  /// The models at a path; nil for those that the environment names, or that are here.
  init(modelPath: FilePath?) {
    (store, simulator, isStoreOfSettings) = (nil, nil, false)
    named = (modelPath, nil)
  }

  /// The models at hand, unread; of several those that have the version that was named.
  func bundles() throws -> [ModelBundle] {
    let found = try allBundles()
    guard let version = named.modelVersion, found.count > 1 else { return found }
    return try found.having(version)
  }

  /// The same, to read their versions as far as that is needed.
  func versions() throws -> [VersionsAtHand] {
    try bundles().map(ModelsOfProcess.versions)
  }

  /// The model that the user names, or the project's settings.
  var modelPath: FilePath? {
    named.model ?? FilePath(variable: Self.modelVariable) ?? Settings.ifSound.model
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
    let models: FilePath = "Models"
    if models.kind != nil {
      return try ModelBundle.find(at: models)
    }
    let found = ModelBundle.sources(below: ".")
    guard !found.isEmpty else { throw DiscoveryError.noModel }
    return found
  }

  /// The one model at hand.
  ///
  /// - Throws: `DiscoveryError.severalModels`, `ModelBundleError`.
  func onlyBundle() throws -> ModelBundle {
    let bundles = try bundles()
    guard let bundle = bundles.first, bundles.count == 1 else {
      throw DiscoveryError.severalModels(bundles.map(\.path))
    }
    return bundle
  }

  /// The one model at hand, in the version that was named, else its current one.
  ///
  /// - Throws: `DiscoveryError.severalModels`, `ModelBundleError`, what reading throws.
  func currentModel() throws -> FoundModel {
    let bundle = try onlyBundle()
    return try FoundModel(version(of: bundle), of: ModelsOfProcess.versions(of: bundle))
  }

  /// The same, not read.
  ///
  /// - Throws: `DiscoveryError.severalModels`, `ModelBundleError`
  func currentVersion() throws -> ModelVersion { try version(of: onlyBundle()) }

  func version(of bundle: ModelBundle) throws -> ModelVersion {
    try named.modelVersion.map { try bundle.version(named: $0) } ?? bundle.requireCurrentVersion()
  }

  /// The stores at hand that can be opened.
  func usableStores() throws -> [StoreAtHand] { try storesAtHand().filter(\.isUsable) }

  /// A version of the models at hand, or else the model at a path.
  ///
  /// - Throws: `DiscoveryError.severalModels` where several have a version of that name.
  func model(_ versionOrPath: FilePath) throws -> FoundModel {
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
    guard having.count == 1 else { throw DiscoveryError.severalModels(having.map(\.path)) }
    let version = try bundle.version(named: name)
    return try FoundModel(version, of: ModelsOfProcess.versions(of: bundle))
  }

  /// The version that wrote the store at hand; the current one where there is no store.
  func modelOfStore() throws -> FoundModel {
    let stores = try storesAtHand()
    guard named.modelVersion == nil, let first = stores.first else { return try currentModel() }
    guard stores.count > 1 else { return try model(of: first.opened.get()) }
    let usable = stores.filter(\.isUsable)
    guard usable.count == 1 else { return try currentModel() }
    return try model(of: only(of: StoreChoice(stores, before: .reading), stores).opened.get())
  }

  /// Opens the store that has what the command names, through the model version that wrote it.
  ///
  /// - Parameter use: what the command is about to do; where it writes, and a crash has left the journal
  ///   of another write, that is rolled back first.
  /// - Throws: `DiscoveryError`; `DatabaseError`, also for a store of no known version.
  func openStore(
    having subject: Subject, for access: Store.Access = .reading, before use: Store.Access? = nil
  ) throws -> OpenStore {
    let found = try find(subject, before: use ?? access)
    guard access == .writing else { return try OpenStore(found.store, found.model) }
    try found.model.requireForWriting(found.store)
    // SQLite shares the -shm among the connections of a process: beside one that may only read it
    // nobody can write.
    try found.store.close()
    return try OpenStore(Store.open(found.store.path, .writing), found.model)
  }

  typealias Candidate = (store: Store, model: FoundModel)

  /// The same without a look at where the rows lie; open for reading.
  ///
  /// - Throws: what `openStore` throws.
  func find(_ subject: Subject, before use: Store.Access) throws -> Candidate {
    if StoreAtHand.isName(subject.name) { throw DiscoveryError.storeForName(subject) }
    reportStore(before: use)
    let stores = try storesAtHand()
    guard let first = stores.first else { throw DiscoveryError.noStore }
    if stores.count == 1 {
      let store = try first.recovered(before: use)
      return (store, try model(of: store))
    }
    let choice = try StoreChoice(stores, before: use)
    guard subject != .nothing else {
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

  /// The store to migrate, and what it is migrated from.
  ///
  /// - Throws: `DiscoveryError.severalStores`; what `source(of:takesNewer:)` throws.
  func findToMigrate(
    before use: Store.Access, takesNewer: Bool
  ) throws -> (store: Store, source: SourceVersion, bundle: ModelBundle) {
    reportStore(before: use)
    let store = try onlyStore(before: use).recovered(before: use)
    let (source, bundle) = try source(of: store, takesNewer: takesNewer)
    return (store, source, bundle)
  }

  // MARK: Files

  /// The one store at hand.
  ///
  /// - Throws: `DiscoveryError` when there is none, or more than one.
  func storePath(before use: Store.Access = .reading) throws -> FilePath {
    _ = try Settings.inForce()
    reportStore(before: use)
    if let store, store.kind != .folder { return store }
    return try onlyStore(before: .reading).path
  }

  /// Reports the store that a command writes where nobody named it in the command.
  private func reportStore(before use: Store.Access) {
    guard use == .writing, isStoreOfSettings, let store, let file = Settings.ifSound.file else {
      return
    }
    Terminal.report([
      Diagnostic(.note, "settings.store", "the store is '\(store)', as '\(file)' specifies")
    ])
  }

  private func onlyStore(before use: Store.Access) throws -> StoreAtHand {
    let stores = try storesAtHand()
    guard let only = stores.first else { throw DiscoveryError.noStore }
    guard stores.count > 1 else { return only }
    return try self.only(of: StoreChoice(stores, before: use), stores)
  }

  /// The one of several stores that can be opened.
  private func only(of choice: StoreChoice, _ stores: [StoreAtHand]) throws -> StoreAtHand {
    guard let only = choice.usable.first, choice.usable.count == 1 else {
      throw DiscoveryError.severalStores(stores.map(\.path))
    }
    Terminal.report(choice.warnings)
    return only
  }

  /// Those that were named or found.
  func storePaths() throws -> [FilePath] { try storesAtHand().map(\.path) }

  /// The store that was named, else all of the working directory.
  private func storesAtHand() throws -> [StoreAtHand] {
    _ = try Settings.inForce()
    if let simulator { return try Simulators().stores(of: simulator).map(StoreAtHand.init) }
    if let store {
      guard store.kind == .folder else { return [StoreAtHand(store)] }
      let stores = try StoreAtHand.all(below: store)
      if stores.isEmpty { throw DiscoveryError.noStoreIn(store) }
      return stores
    }
    let here: FilePath = "."
    return try names(in: here).filter { StoreAtHand.isName("\($0)") }
      .map(StoreAtHand.init).filter(\.isStore)
  }

  private func names(in folder: FilePath) throws(DatabaseError) -> [FilePath] {
    do {
      return try folder.names()
    } catch {
      throw DatabaseFile.error(error, folder)
    }
  }

  static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Model {
  fileprivate func has(_ subject: Subject) -> Bool {
    switch subject {
    case .entity(let name): entity(named: name) != nil
    case .template(let name): template(named: name) != nil
    case .nothing: true
    }
  }

  fileprivate func names(like subject: Subject) -> [String] {
    switch subject {
    case .entity: entities.map(\.name)
    case .template: (templates + fetchedPropertyTemplates).map(\.name)
    case .nothing: []
    }
  }
}
