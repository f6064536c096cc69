import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate
import StoreVerification

/// Creates the output of `show` for one object: its values, its relationships and its history.
struct ObjectFacts {
  let store: OpenStore
  /// Whether texts of more than 200 characters are shortened, including data, whose text is base64.
  let cutsLongValues: Bool
  /// Whether data is replaced by its size, its format and its first bytes.
  let describesData: Bool
  private static let longest = 200

  private struct Page: Encodable {
    let id, entity: String
    let parents: [String]
    let version: Int64
    let historyChanges: Int?
    let attributes: [AttributeFacts]
    let relationships, referredToBy: [LinksFacts]
    let history: [ChangeFacts]
  }

  private struct AttributeFacts: Encodable {
    let attribute, type: String
    let value: JSONValue
  }

  private struct LinksFacts: Encodable {
    let relationship: String
    @Flattened var own: OwnLinksFacts?
    let count: Int64
    let first: [String]
    let dangling: Bool?
  }

  private struct OwnLinksFacts: Encodable {
    let kind, destination: String
    let inverse: String?
  }

  private struct ChangeFacts: Encodable {
    let transaction: Int64
    let date, change, author: String?
    let properties: [String]?
  }

  func page(of object: ObjectDescription, _ history: ObjectHistory?) throws -> Facts {
    let entity = store.model.entity(named: object.entity.name)
    return .page(
      Page(
        id: uri(.init(entity: object.entity.number, key: object.key)), entity: object.entity.name,
        parents: entity.map { store.model.ancestors(of: $0).map(\.name) } ?? [],
        version: object.version, historyChanges: history?.count,
        attributes: try attributes(of: object),
        relationships: object.relationships.map { links($0, isOwn: true) },
        referredToBy: object.referrers.map { links($0, isOwn: false) },
        history: changes(in: history)))
  }

  private func attributes(of object: ObjectDescription) throws -> [AttributeFacts] {
    guard object.values.count > 0 else { return [] }
    let row = UnsafePointer(object.values.cells(ofRow: 0))
    return try object.shape.columns.indices.map { column in
      AttributeFacts(
        attribute: object.shape.columns[column].name, type: object.types[column].name,
        value: try value(of: column, row, in: object))
    }
  }

  private func value(
    of column: Int, _ row: UnsafePointer<PackedRows.Cell>, in object: ObjectDescription
  ) throws -> JSONValue {
    if describesData, let description = try description(of: column, row, in: object) {
      return description
    }
    let value = try JSONValue(ofColumn: column, of: row, in: object.values, object.shape)
    return cutsLongValues ? value.cut(to: Self.longest) : value
  }

  /// Returns the description of data; nil for other values.
  private func description(
    of column: Int, _ row: UnsafePointer<PackedRows.Cell>, in object: ObjectDescription
  ) throws -> JSONValue? {
    let cell = row[object.shape.cells[column]]
    guard cell.kind == .blob else { return nil }
    let bytes = object.values.bytes(of: cell)
    switch object.shape.columns[column].content {
    case .data: return JSONValue(encoding: DataFacts(of: bytes))
    case .externalData:
      var facts: JSONValue?
      try object.shape.largeValues?.read(bytes) {
        facts = JSONValue(encoding: DataFacts(of: $0))
      }
      return facts ?? JSONValue(encoding: ["missing": true])
    default: return nil
    }
  }

  private func links(_ links: ObjectDescription.Links, isOwn: Bool) -> LinksFacts {
    let relationship = links.relationship
    let own = OwnLinksFacts(
      kind: relationship.cardinality.name, destination: relationship.destination,
      inverse: relationship.inverse)
    return LinksFacts(
      relationship: isOwn ? relationship.name : "\(links.owner).\(relationship.name)",
      own: isOwn ? own : nil, count: links.count, first: links.first.map(uri),
      dangling: links.isDangling ? true : nil)
  }

  private func changes(in history: ObjectHistory?) -> [ChangeFacts] {
    let facts = HistoryFacts(
      layout: store.layout, names: [:], storeUUID: store.store.metadata.uuid)
    return (history?.latest ?? []).map { change, transaction in
      ChangeFacts(
        transaction: change.transaction, date: ISODate.text(change.timestamp),
        change: change.kind?.name, author: transaction?.origin.author,
        properties: facts.changedProperties(of: change))
    }
  }

  private func uri(_ row: ObjectDescription.RowKey) -> String {
    let entity = store.layout.entity(numbered: row.entity)?.name ?? "\(row.entity)"
    return ObjectID(store: store.store.metadata.uuid, entity: entity, primaryKey: row.key).uri
  }
}

extension JSONValue {
  /// Returns a text that is cut after `limit` characters, followed by its original length in parentheses. Shorter texts
  /// and other values are returned unchanged.
  func cut(to limit: Int) -> JSONValue {
    guard case .string(let text) = content, text.utf8.count > limit else { return self }
    let start = text.prefix(limit)
    guard start.utf8.count < text.utf8.count else { return self }
    return JSONValue(.string("\(start)… (\(text.count.grouped) characters)"))
  }
}

struct ObjectHistory {
  let count: Int
  /// The latest changes, each with its transaction, in reverse chronological order.
  let latest: [(HistoryLog.Change, HistoryLog.Transaction?)]

  /// Creates the history of a row; nil if the store doesn't have a history.
  ///
  /// - Throws: `DatabaseError` if the history can't be read.
  init?(of entity: Int64, _ key: Int64, latest limit: Int, on connection: Connection) throws {
    let log: HistoryLog
    do {
      log = try HistoryLog(connection)
    } catch StoreLayoutError.noHistory {
      return nil
    }
    let all = try log.changes(ofRow: key, of: entity)
    count = all.count
    latest = try all.suffix(limit).reversed().map { change in
      (change, try log.transaction(change.transaction))
    }
  }
}

extension NoSuchRow {
  /// Returns this error with a help text about the deletion of the row. If the history doesn't contain the deletion,
  /// the error is returned unchanged.
  func explained(
    by connection: Connection, in store: OpenStore
  ) throws -> any DiagnosableError {
    guard let entity = store.layout.entity(named: entity) else { return self }
    for number in entity.subtree {
      let history = try ObjectHistory(of: number, key, latest: 1, on: connection)
      guard let (change, transaction) = history?.latest.first, change.kind == .delete else {
        continue
      }
      let author = transaction?.origin.author.map { " by '\($0)'" } ?? ""
      let date = ISODate.text(change.timestamp) ?? ""
      return DiagnosticError(
        diagnostics.map {
          $0.helping("it was deleted\(author) on \(date), in transaction \(change.transaction)")
        })
    }
    return self
  }
}

extension DiagnosticError {
  /// Creates the error for an object ID that contains the UUID of another store.
  ///
  /// - Parameter command: The command, for the code of the error.
  init(otherStoreOf object: String, uuid: String, in command: String) {
    self.init(
      "\(command).other-store", "'\(object)' is the ID of an object in another store",
      help: [.text("object IDs of this store begin with x-coredata://\(uuid)/")])
  }
}
