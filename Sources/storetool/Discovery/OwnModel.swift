import CompiledModels
import ModelInference
import SQLiteAccess
import StoreDiagnostics
import StoreEngine
import StoreLayout
import StoreModel
import StoreModelReader

/// The model that a store itself has or shows, for where none at hand has its version hashes.
struct OwnModel {
  let found: FoundModel
  /// What is certain of an inferred model, and what is not; nil for one that the store carries.
  let inferred: InferredModel?
  /// Why the model that the store carries is of no use.
  let fault: String?

  /// The model that the store carries, if it has the store's hashes, else the one that its tables show.
  ///
  /// - Throws: `DatabaseError`
  init(of store: Store) throws {
    let name = Self.name(of: store)
    var fault: String?
    do {
      if let carried = try Self.carried(by: store, name) {
        (found, inferred, self.fault) = (carried, nil, nil)
        return
      }
    } catch let error as ModelCacheError {
      fault = error.reason
    } catch let error as CompiledModelError {
      fault = error.diagnostics[0].message
    } catch is OtherHashes {
      fault = "its version hashes are not the store's"
    }
    let inferred = try store.read { try $0.inferredModel(named: name) }
    let bundle = ModelBundle(
      of: inferred.model, from: store.path, doubts: inferred.guesses.map { .init($0.part, $0.text) }
    )
    found = try FoundModel(
      bundle.versions[0], of: VersionReadings(of: bundle), origin: .inferred)
    self.inferred = inferred
    self.fault = fault
  }

  /// The one of the store at a path; nil where there is no database.
  ///
  /// - Throws: `DatabaseError`
  init?(at path: String) throws {
    do {
      _ = try DatabaseFile(path)
    } catch DatabaseError.notADatabase, DatabaseError.isFolder, DatabaseError.notFound {
      return nil
    }
    try self.init(of: Store.open(path, .reading, acceptsFaults: true))
  }

  private struct OtherHashes: Error {}

  private static func carried(by store: Store, _ name: String) throws -> FoundModel? {
    guard let cache = try store.read({ try $0.modelCache() }) else { return nil }
    let reading = try CompiledModel.decode(ModelCache.decompressed(cache), name: name)
    let bundle = ModelBundle(of: reading.model, from: store.path, reading.diagnostics)
    var matcher = ModelMatcher(hashes: store.metadata.hashes, versionName: nil)
    guard var found = try matcher.match(in: VersionReadings(of: bundle)) else {
      throw OtherHashes()
    }
    found.origin = .carried
    return found
  }

  /// An archive does not hold its version's name: `App` for `App.sqlite`.
  private static func name(of store: Store) -> String {
    let name = (store.path.split(separator: "/").last ?? "").prefix { $0 != "." }
    return name.isEmpty ? "Store" : String(name)
  }

  /// Which model it is, and why no other.
  ///
  /// - Parameter reason: why none at hand is taken.
  func notes(because reason: Diagnostic) -> [Diagnostic] {
    var notes: [Diagnostic] = []
    if let fault {
      notes.append(
        Diagnostic(
          .warning, "model.carried-unusable",
          "the model that the store carries can't be used: \(fault)"))
    }
    var note = reason.asNote()
    switch found.origin {
    case .inferred:
      note.code = "model.inferred"
      note.message += "; one is inferred from the store's tables, names and types partly guessed"
    case .files, .carried:
      note.code = "model.carried"
      note.message += "; the one that the store carries is used"
      note.help = []
    }
    return notes + [note]
  }
}
