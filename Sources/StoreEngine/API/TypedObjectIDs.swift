public import StoreModel

/// The object IDs that a typed batch request returns: `ObjectIDs`, with their type.
public struct TypedObjectIDs<Object: StoredObject>: AsyncSequence, Sendable {
  let untyped: ObjectIDs

  /// How many there are.
  public var count: Int { untyped.count }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(untyped: untyped.makeAsyncIterator())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var untyped: ObjectIDs.AsyncIterator

    public mutating func next() async throws -> TypedObjectID<Object>? {
      try await untyped.next().map { TypedObjectID(trusted: $0) }
    }
  }
}

/// What a typed batch request returns.
public struct TypedBatchResult<Object: StoredObject, Summary: Sendable, Returned: Sendable>:
  Sendable
{
  let untyped: BatchResult<Summary, Returned>
}

extension TypedBatchResult where Returned == Bool {
  /// `true`: a request that fails throws.
  public static var status: Self { Self(untyped: .status) }
}

extension TypedBatchResult where Returned == Summary {
  /// How many rows the request has met and changed.
  public static var count: Self { Self(untyped: .count) }
}

extension TypedBatchResult where Returned == TypedObjectIDs<Object> {
  /// The rows that the request has changed or inserted.
  public static var objectIDs: Self {
    Self(untyped: BatchResult(form: .objectIDs { TypedObjectIDs(untyped: $0) }))
  }
}
