import StoreDiagnostics
import StoreEngine
import StoreLayout
import StoreModelReader
import StoreVerification

/// Which model a store is of: one that is given; one at hand that has the store's version hashes; the one that the
/// store carries; last the one that its tables show.
extension Workspace {
  /// - Throws: `DiscoveryError.severalModelsFit`, `UnknownVersion` for a model that is given; what reading throws.
  func model(of store: Store) throws -> FoundModel {
    do {
      return try match(store, with: readings())
    } catch let error as any DiagnosableError where leavesModelOpen(error) {
      let own = try OwnModel(of: store)
      Terminal.report(own.notes(because: error.diagnostics[0]))
      return own.found
    }
  }

  /// Of several stores those that a model at hand has written; where none is at hand, each with its own model.
  func candidates(of stores: [Store]) throws -> [Candidate] {
    let readings: [VersionReadings]
    do {
      readings = try self.readings()
    } catch let error as any DiagnosableError where leavesModelOpen(error) {
      return try stores.map { store in
        let own = try OwnModel(of: store)
        var found = own.found
        found.notes = own.notes(because: error.diagnostics[0])
        return (store, found)
      }
    }
    return try stores.compactMap { try candidate($0, readings) }
  }

  /// One that no model fits is simply not the one that is meant.
  private func candidate(_ store: Store, _ readings: [VersionReadings]) throws -> Candidate? {
    let (matches, matcher) = try matches(store, with: readings)
    guard !matcher.readNothing else { throw UnknownVersion(store, matcher) }
    guard matches.count <= 1 else {
      throw DiscoveryError.severalModelsFit(store: store.path, matches.map(\.bundle.path))
    }
    return matches.first.map { (store, $0) }
  }

  /// The model version at hand that wrote the store.
  ///
  /// - Throws: `DiscoveryError.severalModelsFit`; `UnknownVersion` with what differs.
  func match(_ store: Store, with readings: [VersionReadings]) throws -> FoundModel {
    let (found, matcher) = try matches(store, with: readings)
    guard let only = found.first else { throw UnknownVersion(store, matcher) }
    guard found.count == 1 else {
      throw DiscoveryError.severalModelsFit(store: store.path, found.map(\.bundle.path))
    }
    return only
  }

  /// The version at hand that wrote a store, else the model that the store carries: in the one bundle at hand, as a
  /// further version of it.
  ///
  /// - Parameter takesNewer: whether the carried model may be newer than the bundle. Else an old checkout of the
  ///   models would take a store back.
  /// - Throws: `DiscoveryError.severalModelsFit`; `UnknownVersion` with what differs.
  func source(of store: Store, takesNewer: Bool) throws -> FoundModel {
    let readings = try self.readings()
    do {
      return try match(store, with: readings)
    } catch let error as UnknownVersion where readings.count == 1 && named.modelVersion == nil {
      guard error.verdict == .different || takesNewer && error.verdict == .newer else {
        throw error
      }
      switch try CarriedModel(of: store) {
      case .usable(let carried):
        return try carried.asVersion(of: readings[0].bundle)
      case .unusable(let fault):
        Terminal.report([CarriedModel.warning(of: fault)])
        throw error
      case .none: throw error
      }
    }
  }

  private func matches(
    _ store: Store, with readings: [VersionReadings]
  ) throws -> (found: [FoundModel], ModelMatcher) {
    var matcher = ModelMatcher(hashes: store.metadata.hashes, versionName: named.modelVersion)
    let found = try readings.compactMap { try matcher.match(in: $0) }
    // A compiled model beside the XML that it was made from says nothing else.
    let written = found.filter { $0.version.form == .xml }
    return (written.isEmpty ? found : written, matcher)
  }

  /// Whether the user names the model or its version, so that no other will do.
  var isGiven: Bool { modelPath != nil || named.modelVersion != nil }

  /// Whether an error says that none of the models at hand is the store's, where the user has given none.
  private func leavesModelOpen(_ error: any DiagnosableError) -> Bool {
    guard !isGiven else { return false }
    switch error {
    case DiscoveryError.noModel, ModelBundleError.noModel, is UnknownVersion: return true
    default: return false
    }
  }
}

/// A write by a model that only the store's tables show.
struct InferredModelError: DiagnosableError {
  let store: String

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "model.inferred",
        "'\(store)' is only read without its model: what its tables don't say (what is required, delete "
          + "rules, validation, the true types) a write would break"
      ).helping("name the model that wrote it: --model App.xcdatamodeld")
    ]
  }
}
