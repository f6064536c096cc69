import StoreModel
public import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row with the values that its request asks for.
public struct FetchedRow: Hashable, Sendable {
  public let objectID: ObjectID
  /// By the names of the request: attributes and to-one relationships, unless it selects others.
  public let values: [String: Value]

  /// The value with a name; nil when the request has none of that name.
  public subscript(name: String) -> Value? { values[name] }
}

/// Makes rows of the values that a statement has read.
struct FetchedRowDecoder: Sendable {
  private let columns: [ResultColumn]
  private let entities: [Int64: String]
  private let store: String?
  private let folder: ExternalFolder?

  init(_ query: ResultQuery, _ source: ResultSource, _ context: RowContext) {
    columns = query.row.columns
    entities = source.entities
    store = source.store
    folder = context.externalFolder
  }

  /// - Throws: `ExternalValueMissing`
  func row(_ id: ObjectID, of rows: PackedRows) throws -> FetchedRow {
    let cells = rows.cells(ofRow: 0)
    var values: [String: Value] = [:]
    for column in columns {
      values[column.name] =
        switch column.source {
        case .value(let index, let type):
          try value(
            rows.value(of: cells[index]), as: type, isExternal: column.allowsExternalStorage)
        case .objectID(let key, let entity): objectID(cells, key, entity)
        // No request of rows has a list.
        case .objectIDs: .null
        }
    }
    return FetchedRow(objectID: id, values: values)
  }

  private func objectID(
    _ cells: UnsafeMutablePointer<PackedRows.Cell>, _ key: Int, _ entity: ResultColumn.EntitySource
  ) -> Value {
    guard cells[key].kind == .integer else { return .null }
    let name =
      switch entity {
      case .fixed(let name): name
      case .number(let index): entities[cells[index].integer] ?? "\(cells[index].integer)"
      }
    return .objectID(ObjectID(store: store, entity: name, primaryKey: cells[key].integer))
  }

  /// A kind of value that does not fit the type, which SQLite allows, is given as what it is.
  private func value(
    _ stored: SQLiteValue, as type: AttributeType, isExternal: Bool
  ) throws -> Value {
    switch (stored, type) {
    case (.null, _): return .null
    case (.integer(let number), .boolean) where number == 0 || number == 1:
      return .boolean(number == 1)
    case (.integer(let number), .date): return .date(Double(number))
    case (.integer(let number), .double), (.integer(let number), .float):
      return .double(Double(number))
    case (.integer(let number), _): return .integer(number)
    case (.real(let number), .date): return .date(number)
    case (.real(let number), _): return .double(number)
    case (.text(let text), _): return .string(text)
    case (.blob(let bytes), .uuid) where bytes.count == 16:
      return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case (.blob(let bytes), _): return isExternal ? try external(bytes) : .binary(bytes)
    }
  }

  private func external(_ stored: [UInt8]) throws -> Value {
    try stored.withUnsafeBufferPointer { bytes in
      switch ExternalValue(stored: bytes) {
      case .inline(let value): return .binary(Array(value))
      case .file(let name):
        guard let folder else { throw ExternalValueMissing(name: name, folder: nil) }
        return try folder.read(name).map { .binary($0) } ?? .null
      }
    }
  }
}
