import ModelArchives
import StoreLayout
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreModel
import StoreModelReader

/// The model that a store itself provides: the model that it contains, or a model inferred from its tables. Commands
/// use it if no available model has the store's version hashes, or if the user specifies a store by `--model`.
struct OwnModel {
  let found: FoundModel
  /// The inferred model and its uncertain parts; nil for a model that the store contains.
  let inferred: InferredModel?
  /// The reason why the model in the store can't be used; nil if it is used, or the store doesn't contain one.
  let fault: String?

  /// Creates the model that the store contains if it has the store's hashes, otherwise a model inferred from the
  /// tables.
  ///
  /// - Throws: `DatabaseError` if the store can't be read.
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

  /// Creates the model that the store contains; nil if the store doesn't contain a usable one.
  ///
  /// - Throws: `DatabaseError` if the store can't be read.
  init?(carriedBy store: Store) throws {
    guard case .usable(let version) = try store.carriedModel() else { return nil }
    (found, inferred, fault) = (try FoundModel(carried: version, by: store.path), nil, nil)
  }

  /// Creates the model of the store at a path; nil if there isn't an SQLite database at this path.
  ///
  /// - Throws: `DatabaseError` if the store can't be read, or `StoreLayoutError` if the database isn't a store.
  init?(at path: LocalPath) throws {
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

  /// Returns notes about this model and the reason for its use.
  ///
  /// - Parameter reason: The reason why no available model can be used.
  func notes(because reason: DiagnosticMessage) -> [DiagnosticMessage] {
    var notes: [DiagnosticMessage] = []
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

  /// A warning with the number of parts of the model in the store that can't be read; nil if all can be read.
  private var omissions: DiagnosticMessage? {
    let count = found.reading.diagnostics.count { $0.code == CompiledModel.omissionCode }
    guard count > 0 else { return nil }
    return DiagnosticMessage(
      .warning, "model.carried-parts",
      "the model in the store is used without \(count) of its parts, which can't be read;"
        + " neither version hashes nor rows depend on them"
    ).helping("'storetool model check STORE' lists them")
  }
}
