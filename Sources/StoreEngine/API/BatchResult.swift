/// What a batch request returns: Core Data's result types, each with the Swift type of its value.
///
///     let ok = try await store.batchDelete(request, returning: .status)         // Bool
///     let outcome = try await store.batchDelete(request, returning: .count)     // DeletionResult
///     let ids = try await store.batchDelete(request, returning: .objectIDs)     // ObjectIDs
public struct BatchResult<Summary: Sendable, Returned: Sendable>: Sendable {
  enum Form: Sendable {
    case outcome(@Sendable (Summary) -> Returned)
    case objectIDs(@Sendable (ObjectIDs) -> Returned)
  }

  let form: Form

  var keepsKeys: Bool {
    if case .objectIDs = form { true } else { false }
  }
}

extension BatchResult where Returned == Bool {
  /// `true`: a request that fails throws.
  public static var status: Self { Self(form: .outcome { _ in true }) }
}

extension BatchResult where Returned == Summary {
  /// How many rows the request has met and changed.
  public static var count: Self { Self(form: .outcome { $0 }) }
}

extension BatchResult where Returned == ObjectIDs {
  /// The rows that the request has changed, inserted or deleted. Their keys are kept in a temporary
  /// file while the request runs, which costs about as much again as counting them.
  public static var objectIDs: Self { Self(form: .objectIDs { $0 }) }
}
