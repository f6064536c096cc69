package import StoreDiagnostics
import StoreModel

/// What a list of results can't be made of: something else than rows of the store.
package enum ResultRequestError: Error, Hashable {
  case count
  case groups
  case distinctRows
  case aggregates

  init?(_ request: StoreFetchRequest) {
    if request.result == .count {
      self = .count
    } else if !request.groupBy.isEmpty || request.having != nil {
      self = .groups
    } else if request.isDistinct {
      self = .distinctRows
    } else {
      return nil
    }
  }
}

extension ResultRequestError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "results.no-rows", "live results are rows of the store, \(what) is none",
        cause: .usage
      ).helping("fetch it again after each change of a list of the rows")
    ]
  }

  private var what: String {
    switch self {
    case .count: "a count"
    case .groups: "a group of rows"
    case .distinctRows: "one row for several that are alike"
    case .aggregates: "an aggregate of rows"
    }
  }
}
