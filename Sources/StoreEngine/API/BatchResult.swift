/// The result of a batch request: Core Data's result types, each with the Swift type of its value.
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
  /// `true`. A request that fails throws.
  public static var status: Self { Self(form: .outcome { _ in true }) }
}

extension BatchResult where Returned == Summary {
  /// The numbers of rows that the request matched and changed.
  public static var count: Self { Self(form: .outcome { $0 }) }
}

extension BatchResult where Returned == ObjectIDs {
  /// The object IDs of the rows that the request changed, inserted or deleted. Their keys are kept in a temporary file
  /// while the request runs, which takes about as long as counting them.
  public static var objectIDs: Self { Self(form: .objectIDs { $0 }) }
}
