import PredicateSQL
import StoreLayout
import StoreModel
import StorePredicate
import StoreCore

/// The description of the cells that a `PackedRowReader` reads.
@usableFromInline
struct ReadingPlan: Sendable {
  @usableFromInline
  enum Content: Sendable {
    case value
    /// Bytes that begin with a marker (`ExternalValue`).
    case externalValue
    /// A `Z_PK` of a row whose entity is known.
    case objectID(entity: String)
    /// A `Z_PK`, with `Z_ENT` in the next cell.
    case objectIDOfAny
    /// The `Z_ENT` for the key in the previous cell.
    case entityNumber
  }

  /// The content of each cell of a row.
  @usableFromInline let contents: [Content]
  /// The names of the entities by `Z_ENT`.
  @usableFromInline let entityNames: [Int64: String]
  @usableFromInline let storeUUID: String
  let externalFolder: ExternalFolder
  let columns: [ResultColumn]
  /// The name of each cell and the entity of the rows, for messages.
  let names: [String]
  let entity: String

  init(
    _ columns: [ResultColumn], for request: StoreFetchRequest, in store: Store,
    _ layout: StoreLayout
  ) {
    var contents: [Content] = []
    var names: [String] = []
    for (index, column) in columns.enumerated() {
      names.append(request.valueName(at: index) ?? column.name)
      switch column.source {
      case .value, .objectIDs:
        contents.append(column.allowsExternalStorage ? .externalValue : .value)
      case .objectID(_, .fixed(let entity)):
        contents.append(.objectID(entity: entity))
      case .objectID(_, .number):
        contents += [.objectIDOfAny, .entityNumber]
        names.append(column.name)
      }
    }
    self.contents = contents
    self.columns = columns
    self.names = names
    entity = request.entity
    entityNames = Dictionary(
      layout.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    storeUUID = store.metadata.uuid
    externalFolder = ExternalFolder(path: store.externalDataFolder)
  }
}

extension StoreFetchRequest {
  /// Returns the text of a selected value for messages. Typed requests use numbers as names, so the expression is used
  /// instead.
  fileprivate func valueName(at index: Int) -> String? {
    guard case .values(let values) = result, values.indices.contains(index) else { return nil }
    let value = values[index]
    return Int(value.name) == nil ? value.name : value.expression.description
  }
}
