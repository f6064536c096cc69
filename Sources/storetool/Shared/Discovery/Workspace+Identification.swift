import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModelReader
import StoreVerification

extension Workspace {
  /// Whether a store's model is at hand.
  enum Identification {
    case known(FoundModel)
    /// With what differs from the closest version, where the store carries hashes and there is a model.
    case unknown(because: String, VersionGap?)
  }

  /// Finds the model version of a store; that there is none is an answer, not an error. A model that the
  /// user names has to be there and be right, though.
  func identify(_ description: StoreDescription) throws -> Identification {
    try identify(description.metadata)
  }

  /// Where the store's rows lie; nil when no model at hand wrote it, and the store itself has none that will do.
  ///
  /// - Parameter infers: whether a model that only the tables show will do.
  /// - Throws: the mistakes of a model that the user names.
  func identifiedLayout(of store: Store, infers: Bool) throws -> StoreLayout? {
    switch try identify(store.metadata) {
    case .known(let found):
      return try store.layout(for: found.model, configuration: found.configuration)
    case .unknown(_, .some) where readsClosest:
      let found = try closestModel(to: store)
      Terminal.report(found.notes)
      return try store.layout(for: found.model)
    case .unknown(let reason, _):
      guard !isGiven, let own = Self.ownModel(of: store, infers: infers) else { return nil }
      Terminal.report(own.notes(because: Diagnostic(.note, "model.none", reason)))
      return try store.layout(for: own.found.model, configuration: own.found.configuration)
    }
  }

  /// Nil where the store is too damaged for it, which is said, and where it carries none and none is to be inferred.
  static func ownModel(of store: Store, infers: Bool = true) -> OwnModel? {
    do {
      return infers ? try OwnModel(of: store) : try OwnModel(carriedBy: store)
    } catch let error as any DiagnosableError {
      Terminal.report(error.diagnostics.map { $0.asNote("no model of its own") })
    } catch {
      Terminal.report([Diagnostic(.note, "model.none", "no model of its own: \(error)")])
    }
    return nil
  }

  private func identify(_ metadata: StoreMetadata?) throws -> Identification {
    if metadata?.fault != nil {
      return .unknown(because: "the store's version hashes can't be read", nil)
    }
    guard let hashes = metadata?.hashes, !hashes.isEmpty else {
      return .unknown(because: "the store carries no version hashes", nil)
    }
    do {
      var matcher = VersionMatcher(hashes: hashes, versionName: named.modelVersion)
      let found = try versions().compactMap { versions in
        try matcher.match(in: versions.hashed).map { try FoundModel($0, of: versions) }
      }
      guard let first = found.first else {
        var gap: VersionGap?
        if case .unknown(let found) = StoreVersion(of: hashes, among: matcher.candidates) {
          gap = found
        }
        if matcher.readNothing, modelPath != nil { throw DiagnosticError(matcher.unreadable) }
        Terminal.report(matcher.unreadableNotes)
        return .unknown(
          because: "no model at hand has the version hashes that the store carries", gap)
      }
      return .known(first)
    } catch let error as any DiagnosableError where modelPath == nil {
      return .unknown(because: error.diagnostics.first?.message ?? "no model can be read", nil)
    }
  }
}
