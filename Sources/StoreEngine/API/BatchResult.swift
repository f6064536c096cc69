/// The form of a batch request's result. It corresponds to a result type of Core Data, and determines the Swift type of
/// the returned value.
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
  /// `true`. A request that fails throws an error instead.
  public static var status: Self { Self(form: .outcome { _ in true }) }
}

extension BatchResult where Returned == Summary {
  /// The counts of the request, such as the numbers of matching and changed rows.
  public static var count: Self { Self(form: .outcome { $0 }) }
}

extension BatchResult where Returned == ObjectIDs {
  /// The IDs of the rows that were changed, inserted or deleted. A request takes about twice as long as with `.count`,
  /// because the keys are copied into a temporary table.
  public static var objectIDs: Self { Self(form: .objectIDs { $0 }) }
}
