public import StorePredicate

/// What an untyped fetch returns: Core Data's result types, each with the Swift type of its value.
///
///     let rows = try await store.fetch(request)                                   // [FetchedRow]
///     let count = try await store.fetch(request, returning: .count)               // Int
///     let values = try await store.fetch(request, returning: .dictionaries)       // [[String: Value]]
///     let ids = try await store.fetch(request, returning: .objectIDs)             // [ObjectID]
public struct FetchResult<Returned: Sendable>: Sendable {
  enum Form: Hashable, Sendable {
    case rows, count, dictionaries, objectIDs
  }

  let form: Form
  let returned: @Sendable ([UntypedRow]) -> Returned
}

extension FetchResult where Returned == [FetchedRow] {
  /// Object ID, stored attributes and to-one relationships of each row.
  public static var rows: Self {
    Self(form: .rows) { rows in
      rows.compactMap { row in row.id.map { FetchedRow(id: $0, values: row.values) } }
    }
  }
}

extension FetchResult where Returned == Int {
  /// How many there are.
  public static var count: Self {
    Self(form: .count) { rows in
      guard case .integer(let count)? = rows.first?.values["count"] else { return 0 }
      return Int(count)
    }
  }
}

extension FetchResult where Returned == [[String: Value]] {
  /// The values that the request selects, under their names; all stored attributes and to-one relationships
  /// where it selects none.
  public static var dictionaries: Self { Self(form: .dictionaries) { $0.map(\.values) } }
}

extension FetchResult where Returned == [ObjectID] {
  /// The rows' identities alone.
  public static var objectIDs: Self { Self(form: .objectIDs) { $0.compactMap(\.id) } }
}

/// A row without a Swift type of its own.
public struct FetchedRow: Hashable, Sendable, Identifiable {
  public let id: ObjectID
  /// By property; NULL is `.null`. Elements of composites are named `address.city`.
  public let values: [String: Value]

  public subscript(_ name: String) -> Value? { values[name] }
}

/// What was read of one row.
struct UntypedRow: Sendable {
  /// Where the answer begins with it.
  var id: ObjectID?
  var values: [String: Value] = [:]
}
