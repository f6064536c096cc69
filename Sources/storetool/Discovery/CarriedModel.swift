import CompiledModels
import SQLiteAccess
import StoreDiagnostics
import StoreEngine
import StoreLayout
import StoreModelReader

/// The compiled model that a store carries, checked against the hashes in its metadata.
enum CarriedModel {
  case none
  case usable(FoundModel)
  case unusable(because: String)

  /// - Throws: `DatabaseError`
  init(of store: Store) throws {
    do {
      guard let cache = try store.read({ try $0.modelCache() }) else {
        self = .none
        return
      }
      let reading = try CompiledModel.decode(ModelCache.decompressed(cache), name: store.modelName)
      let bundle = ModelBundle(of: reading.model, from: store.path, reading.diagnostics)
      var matcher = ModelMatcher(hashes: store.metadata.hashes, versionName: nil)
      guard var found = try matcher.match(in: VersionReadings(of: bundle)) else {
        self = .unusable(because: "its version hashes are not the store's")
        return
      }
      found.origin = .carried
      self = .usable(found)
    } catch let error as ModelCacheError {
      self = .unusable(because: error.reason)
    } catch let error as CompiledModelError {
      self = .unusable(because: error.diagnostics[0].message)
    }
  }

  var fault: String? {
    switch self {
    case .unusable(let reason): reason
    case .none, .usable: nil
    }
  }

  /// - Parameter fault: why it is of no use.
  static func warning(of fault: String) -> Diagnostic {
    Diagnostic(
      .warning, "model.carried-unusable",
      "the model that the store carries can't be used: \(fault)")
  }
}

extension Store {
  /// An archive does not hold its version's name: `App` for `App.sqlite`.
  var modelName: String {
    let stem = (path.split(separator: "/").last ?? "").prefix { $0 != "." }
    return stem.isEmpty ? "Store" : String(stem)
  }
}
