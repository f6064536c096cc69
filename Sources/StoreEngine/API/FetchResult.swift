public import StorePredicate

/// The form of an untyped fetch's result. It corresponds to a result type of Core Data, and determines the Swift type
/// of the returned value.
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

extension FetchResult where Returned == [[String: DataValue]] {
  /// The values that the request selects, by name. The default is all stored attributes and to-one relationships.
  public static var dictionaries: Self { Self(form: .dictionaries) { $0.map(\.values) } }
}

extension FetchResult where Returned == [ObjectID] {
  /// The object IDs of the rows.
  public static var objectIDs: Self { Self(form: .objectIDs) { $0.compactMap(\.id) } }
}

/// A row of an untyped fetch.
public struct FetchedRow: Hashable, Sendable, Identifiable {
  /// The object ID of the row.
  public let id: ObjectID
  /// The values by property. NULL is `.null`. The name of a composite's element is a path such as `address.city`.
  public let values: [String: DataValue]

  /// Returns the value of a property, or `nil` if the row doesn't contain it.
  ///
  /// - Parameter name: the name of the property.
  public subscript(_ name: String) -> DataValue? { values[name] }
}

/// The values of one row.
struct UntypedRow: Sendable {
  /// Set if the first value is the row's object ID.
  var id: ObjectID?
  var values: [String: DataValue] = [:]
}
