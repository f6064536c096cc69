import PredicateSQL
import StoreLayout
import StoreModel
import StorePredicate
import StoreCore

/// What a `PackedRowReader` has to know of the cells that it reads.
@usableFromInline
struct ReadingPlan: Sendable {
  /// How a cell is to be taken.
  @usableFromInline
  enum Content: Sendable {
    case value
    /// Bytes that begin with a mark (`ExternalValue`).
    case externalValue
    /// A `Z_PK`; every row is of this entity.
    case objectID(entity: String)
    /// A `Z_PK`, with `Z_ENT` in the next cell.
    case objectIDOfAny
    /// `Z_ENT`
    case entityNumber
  }

  /// One for each cell of a row.
  @usableFromInline let contents: [Content]
  /// The entities' names by `Z_ENT`.
  @usableFromInline let entityNames: [Int64: String]
  /// The store's UUID.
  @usableFromInline let storeUUID: String
  let externalFolder: ExternalFolder
  let columns: [ResultColumn]
  /// For messages: what each cell holds, and whose rows they are.
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
  /// A selected value as it would be typed; typed requests number theirs.
  fileprivate func valueName(at index: Int) -> String? {
    guard case .values(let values) = result, values.indices.contains(index) else { return nil }
    let value = values[index]
    return Int(value.name) == nil ? value.name : value.expression.description
  }
}
