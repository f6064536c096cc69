import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate
import StoreVerification

/// The facts of `show`.
struct ObjectFacts {
  private let store: OpenStore
  /// For people: a page of base64 tells nobody anything.
  private let cutsLongValues: Bool
  /// Of data its size and kind stand for it.
  private let describesData: Bool
  private static let longest = 200

  init(of store: OpenStore, cutsLongValues: Bool, describesData: Bool) {
    self.store = store
    self.cutsLongValues = cutsLongValues
    self.describesData = describesData
  }

  func page(of object: ObjectDescription, _ history: ObjectHistory?) throws -> Facts {
    var page = FactObject()
    page.add("id", uri(.init(entity: object.entity.number, key: object.key)))
    page.add("entity", object.entity.name)
    let entity = store.model.entity(named: object.entity.name)
    page.add("parents", entity.map { store.model.ancestors(of: $0).map(\.name) } ?? [])
    page.add("version", object.version)
    page.add("historyChanges", history?.count)
    page.add("attributes", try attributes(of: object))
    page.add("relationships", object.relationships.map { links($0, isOwn: true) })
    page.add("referredToBy", object.referrers.map { links($0, isOwn: false) })
    page.add("history", changes(in: history))
    return .page(page.value)
  }

  private func attributes(of object: ObjectDescription) throws -> [FactObject] {
    guard object.values.count > 0 else { return [] }
    let row = UnsafePointer(object.values.cells(ofRow: 0))
    return try object.shape.columns.indices.map { column in
      var fact = FactObject()
      fact.add("attribute", object.shape.columns[column].name)
      fact.add("type", object.types[column].name)
      if describesData, let description = try description(of: column, row, in: object) {
        fact.add("value", description)
        return fact
      }
      let value = try JSONValue(ofColumn: column, of: row, in: object.values, object.shape)
      fact.add("value", cutsLongValues ? value.cut(to: Self.longest) : value)
      return fact
    }
  }

  /// Nil for what is no data.
  private func description(
    of column: Int, _ row: UnsafePointer<PackedRows.Cell>, in object: ObjectDescription
  ) throws -> JSONValue? {
    let cell = row[object.shape.cells[column]]
    guard cell.kind == .blob else { return nil }
    let bytes = object.values.bytes(of: cell)
    switch object.shape.columns[column].content {
    case .data: return DataKind.facts(of: bytes)
    case .externalData:
      var facts: JSONValue?
      try object.shape.largeValues?.read(bytes) { facts = DataKind.facts(of: $0) }
      var missing = FactObject()
      missing.add("missing", true)
      return facts ?? missing.value
    default: return nil
    }
  }

  private func links(_ links: ObjectDescription.Links, isOwn: Bool) -> FactObject {
    var fact = FactObject()
    let relationship = links.relationship
    fact.add("relationship", isOwn ? relationship.name : "\(links.owner).\(relationship.name)")
    if isOwn {
      fact.add("kind", relationship.kindName)
      fact.add("destination", relationship.destination)
      fact.add("inverse", relationship.inverse)
    }
    fact.add("count", links.count)
    fact.add("first", links.first.map(uri))
    fact.add("dangling", links.isDangling ? true : nil)
    return fact
  }

  private func changes(in history: ObjectHistory?) -> [FactObject] {
    let facts = HistoryFacts(
      layout: store.layout, names: [:], storeUUID: store.store.metadata.uuid)
    return (history?.latest ?? []).map { change, transaction in
      var fact = FactObject()
      fact.add("transaction", change.transaction)
      fact.add("date", ISODate.text(change.timestamp))
      fact.add("change", change.kind?.name)
      fact.add("author", transaction?.origin.author)
      fact.add(
        "properties",
        facts.changedProperties(of: change).map { names in
          JSONValue(.array(names.map { JSONValue(.string($0)) }))
        })
      return fact
    }
  }

  private func uri(_ row: ObjectDescription.RowKey) -> String {
    let entity = store.layout.entity(numbered: row.entity)?.name ?? "\(row.entity)"
    return ObjectID(store: store.store.metadata.uuid, entity: entity, primaryKey: row.key).uri
  }
}

extension Relationship {
  fileprivate var kindName: String {
    switch cardinality {
    case .toOne: "to-one"
    case .toMany(ordered: false): "to-many"
    case .toMany(ordered: true): "ordered to-many"
    }
  }
}

extension JSONValue {
  /// Text that is longer ends with how long it is.
  func cut(to limit: Int) -> JSONValue {
    guard case .string(let text) = content, text.utf8.count > limit else { return self }
    let start = text.prefix(limit)
    guard start.utf8.count < text.utf8.count else { return self }
    return JSONValue(.string("\(start)… (\(text.count.grouped) characters)"))
  }
}

/// What the history has of one row.
struct ObjectHistory {
  let count: Int
  /// The latest first, each with its transaction.
  let latest: [(HistoryLog.Change, HistoryLog.Transaction?)]

  /// Nil where the store keeps none.
  ///
  /// - Throws: `DatabaseError`
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
  /// With what the history knows of the row.
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

/// An object ID with another store's UUID.
struct OtherStore: DiagnosableError, Hashable {
  let object: String
  let uuid: String

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(.error, "show.other-store", "'\(object)' is a row of another store")
        .helping("the rows of this one are x-coredata://\(uuid)/…")
    ]
  }
}
