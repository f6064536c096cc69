import StoreDiagnostics
import StorePredicate

/// Why a request for one object can't be run.
enum ObjectRequestError: DiagnosableError, Hashable {
  case noObject(ObjectID)
  case noUniqueKey(String)

  /// As callers know it.
  var failure: StoreFailure {
    switch self {
    case .noObject: StoreFailure(.noObject, diagnostics)
    case .noUniqueKey: StoreFailure(.invalidRequest, diagnostics)
    }
  }

  var diagnostics: [Diagnostic] {
    switch self {
    case .noObject(let id):
      [
        Diagnostic(
          .error, "object.missing", "the store has no row \(id.primaryKey) of '\(id.entity)'",
          cause: .notFound, help: ["it was deleted, or the ID is that of another store"])
      ]
    case .noUniqueKey(let entity):
      [
        Diagnostic(
          .error, "object.no-unique-key",
          "'\(entity)' has no uniqueness constraint to find the row by", cause: .usage,
          help: ["add one in the model, or use create and update"])
      ]
    }
  }
}
