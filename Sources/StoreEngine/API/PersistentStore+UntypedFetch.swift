import StoreLayout
import SQLiteAccess
import PredicateSQL
public import StoreModel
import StorePredicate
import StoreCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PersistentStore {
  /// Returns the result of an untyped fetch request.
  ///
  /// There are four ways to create a request, as in Core Data:
  ///
  ///     StoreFetchRequest(entity: "Product")
  ///     StoreFetchRequest(try store.model.requireEntity(named: "Product"))
  ///     try store.model.fetchRequest(fromTemplate: "soldOut")
  ///     try store.model.fetchRequest(
  ///       fromTemplate: "productsFromCountry", substituting: ["COUNTRY": .string("Japan")])
  ///
  /// - Parameters:
  ///   - request: the rows to fetch. For `.dictionaries`, its `result` specifies the selected values. Otherwise its
  ///     `result` is ignored.
  ///   - result: what to return. The default is rows.
  /// - Returns: the rows, values, object IDs or the count.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  public func fetch<Returned>(
    _ request: StoreFetchRequest, returning result: FetchResult<Returned> = .rows
  ) async throws -> Returned {
    let rows: [UntypedRow] = try await rows(of: prepared(request, for: result.form)) {
      reader, rows in
      while reader.nextRow() { rows.append(try reader.readRow()) }
    }
    return result.returned(rows)
  }

  func prepared<Returned>(
    _ request: StoreFetchRequest, for form: FetchResult<Returned>.Form
  ) -> StoreFetchRequest {
    var request = request
    switch form {
    case .count: request.result = .count
    case .objectIDs: request.result = .objectIDs
    case .rows: request.result = .values(rowValues(of: request.entity))
    case .dictionaries:
      if case .values = request.result { break }
      request.result = .values(values(of: request.entity))
    }
    return request
  }

  /// Returns the values to select for a `FetchedRow`.
  func rowValues(of entity: String) -> [SelectedValue] { [.ownID] + values(of: entity) }

  /// The stored attributes by name, then the to-one relationships by name. Empty for an unknown entity, which the check
  /// of the request reports.
  private func values(of entity: String) -> [SelectedValue] {
    guard let entity = layout.entity(named: entity) else { return [] }
    return (entity.attributes.keys.sorted() + entity.toOne.keys.sorted()).map { name in
      SelectedValue(FormatExpression(property: name), name: name)
    }
  }
}

extension SelectedValue {
  static let ownID = SelectedValue(FormatExpression(.selfObject), name: "objectID")
}

extension PackedRowReader {
  /// Returns the row's values. The object ID is separate if it is the first value.
  mutating func readRow() throws -> UntypedRow {
    var row = UntypedRow()
    for (index, column) in plan.columns.enumerated() {
      switch column.source {
      case .objectID where index == 0 && column.name == SelectedValue.ownID.name:
        row.id = try readObjectID()
      case .objectID:
        row.values[column.name] = try readObjectID().map { .objectID($0) } ?? .null
      case .value(_, let type): row.values[column.name] = try readValue(as: type) ?? .null
      case .objectIDs: row.values[column.name] = try readText().map { .string($0) } ?? .null
      }
    }
    return row
  }

  /// Returns nil for NULL.
  private mutating func readValue(as type: AttributeType) throws -> DataValue? {
    switch type {
    case .integer16, .integer32, .integer64: try readInteger().map { .integer($0) }
    case .boolean: try readInteger().map { .boolean($0 != 0) }
    case .double, .float: try readReal().map { .double($0) }
    case .decimal: try readNumber()
    case .date: try readReal().map { .date($0) }
    case .string, .uri: try readText().map { .string($0) }
    case .uuid: try UUID.read(from: &self).map { .uuid($0) }
    case .binary, .transformable: try readBytes { .binary(Array($0)) }
    case .undefined, .objectID, .composite: try readStored()
    }
  }

  /// Returns the value in the type of its SQLite storage class, or nil for NULL.
  private mutating func readStored() throws -> DataValue? {
    let cell = try next()
    return switch rows.value(of: cell) {
    case .null: nil
    case .integer(let number): .integer(number)
    case .real(let number): .double(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .binary(bytes)
    }
  }
}
