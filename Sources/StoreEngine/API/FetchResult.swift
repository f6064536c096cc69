public import StorePredicate

/// The result of an untyped fetch: Core Data's result types, each with the Swift type of its value.
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
  /// The object ID, the stored attributes and the to-one relationships of each row.
  public static var rows: Self {
    Self(form: .rows) { rows in
      rows.compactMap { row in row.id.map { FetchedRow(id: $0, values: row.values) } }
    }
  }
}

extension FetchResult where Returned == Int {
  /// The number of rows.
  public static var count: Self {
    Self(form: .count) { rows in
      guard case .integer(let count)? = rows.first?.values["count"] else { return 0 }
      return Int(count)
    }
  }
}

extension FetchResult where Returned == [[String: Value]] {
  /// The selected values by name. If the request doesn't select values, all stored attributes and to-one relationships.
  public static var dictionaries: Self { Self(form: .dictionaries) { $0.map(\.values) } }
}

extension FetchResult where Returned == [ObjectID] {
  /// The object IDs of the rows.
  public static var objectIDs: Self { Self(form: .objectIDs) { $0.compactMap(\.id) } }
}

/// A row without its own Swift type.
public struct FetchedRow: Hashable, Sendable, Identifiable {
  public let id: ObjectID
  /// The values by property. NULL is `.null`. Elements of composites have names such as `address.city`.
  public let values: [String: Value]
  /// The value of a property, or nil if the row doesn't have it.

  public subscript(_ name: String) -> Value? { values[name] }
}

/// The values of a row.
struct UntypedRow: Sendable {
  /// The object ID, if the result contains it.
  var id: ObjectID?
  var values: [String: Value] = [:]
}
