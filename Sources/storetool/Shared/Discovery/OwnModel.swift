import ModelArchives
import StoreLayout
import SQLiteAccess
import StoreDiagnostics
import StoreCore
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
    let carried = try store.carriedModel()
    if case .usable(let version) = carried {
      (found, inferred, fault) = (try FoundModel(carried: version, by: store.path), nil, nil)
      return
    }
    let inferred = try store.read { try $0.inferredModel(named: store.modelName) }
    let bundle = ModelBundle(
      of: inferred.model, from: store.path, doubts: inferred.guesses.map { .init($0.part, $0.text) }
    )
    found = try FoundModel(
      bundle.versions[0], of: VersionsAtHand(of: bundle), origin: .inferred)
    self.inferred = inferred
    fault = carried.fault
  }

  /// Only the model that the store carries; nil where there is none of use.
  ///
  /// - Throws: `DatabaseError`
  init?(carriedBy store: Store) throws {
    guard case .usable(let version) = try store.carriedModel() else { return nil }
    (found, inferred, fault) = (try FoundModel(carried: version, by: store.path), nil, nil)
  }

  /// The one of the store at a path; nil where there is no database.
  ///
  /// - Throws: `DatabaseError`
  init?(at path: FilePath) throws {
    do {
      _ = try DatabaseFile(path)
    } catch DatabaseError.notADatabase, DatabaseError.emptyFile, DatabaseError.isFolder,
      DatabaseError.atomicStore,
      DatabaseError.notFound
    {
      return nil
    }
    try self.init(of: Store.open(path, .reading, acceptsFaults: true))
  }

  /// Which model it is, and why no other.
  ///
  /// - Parameter reason: why none at hand is taken.
  func notes(because reason: Diagnostic) -> [Diagnostic] {
    var notes: [Diagnostic] = []
    if let fault { notes.append(CarriedModel.warning(of: fault)) }
    var note = reason.asNote()
    switch found.origin {
    case .inferred:
      note.code = "model.inferred"
      note.message +=
        "; using a model inferred from the store's tables, in which some names and types are guesses"
    case .files, .carried, .closest:
      note.code = "model.carried"
      note.message += "; using the model that the store contains"
      note.help = []
    }
    return notes + [note] + [omissions].compactMap { $0 }
  }

  /// Counts the parts of the carried model that are left out.
  private var omissions: Diagnostic? {
    let count = found.reading.diagnostics.count { $0.code == CompiledModel.omissionCode }
    guard count > 0 else { return nil }
    return Diagnostic(
      .warning, "model.carried-parts",
      "\(count) parts of the model that the store contains can't be read, and are ignored;"
        + " neither version hashes nor rows depend on them"
    ).helping("'storetool model check STORE' lists them")
  }
}
