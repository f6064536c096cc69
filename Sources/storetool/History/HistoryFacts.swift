import RecordFormats
import StoreLayout
import SQLiteAccess
import StoreVerification
import Foundation
import StoreCore
import StoreModel
import StorePredicate

/// Creates the output of `history`.
struct HistoryFacts {
  /// The layout of the store; nil if the model is unknown. The changed properties are then unknown too.
  var layout: StoreLayout?
  /// The names of entities by number, from the store itself.
  var names: [Int64: String]
  var storeUUID: String

  func name(of entity: Int64) -> String {
    layout?.entity(numbered: entity)?.name ?? names[entity] ?? "\(entity)"
  }

  private struct TransactionRecord: Encodable {
    let transaction: Int64
    let date, author, bundle, context, process: String?
    @Flattened var counts: Counts
  }

  private struct ChangeRecord: Encodable {
    let transaction: Int64
    let date, change: String?
    let entity, id: String
    let properties: [String]?
    let preserved: JSONValue?
  }

  private struct Statistics: Encodable {
    let transactions: Int
    let changes: Int64
    let first, last: String?
    let lastTransaction: Int64?
    let entities: [EntityRecord]
  }

  private struct EntityRecord: Encodable {
    let entity: String
    @Flattened var counts: Counts
  }

  private struct Counts: Encodable {
    let inserts, updates, deletes: Int64

    init(_ counts: [ChangeKind: Int64]) {
      inserts = counts[.insert] ?? 0
      updates = counts[.update] ?? 0
      deletes = counts[.delete] ?? 0
    }
  }

  static func facts(of transactions: [HistoryLog.Transaction]) -> Facts {
    let columns = [
      "transaction", "date", "author", "bundle", "context", "process", "inserts", "updates",
      "deletes",
    ]
    return .records(
      columns: columns,
      transactions.map { transaction in
        let origin = transaction.origin
        return TransactionRecord(
          transaction: transaction.number, date: ISODate.text(origin.timestamp),
          author: origin.author, bundle: origin.bundle, context: origin.context,
          process: origin.process, counts: Counts(transaction.counts))
      })
  }

  func facts(of changes: [HistoryLog.Change]) -> Facts {
    .records(
      columns: ["transaction", "date", "change", "entity", "id", "properties", "preserved"],
      changes.map { change in
        let entity = name(of: change.entity)
        return ChangeRecord(
          transaction: change.transaction, date: ISODate.text(change.timestamp),
          change: change.kind?.name, entity: entity,
          id: ObjectID(store: storeUUID, entity: entity, primaryKey: change.key).uri,
          properties: changedProperties(of: change), preserved: preserved(of: change))
      })
  }

  /// Returns the names of the changed properties; nil if the change doesn't list properties, or if the model or the
  /// entity is unknown.
  func changedProperties(of change: HistoryLog.Change) -> [String]? {
    guard let mask = change.mask, let layout, layout.entity(numbered: change.entity) != nil else {
      return nil
    }
    return layout.changedProperties(of: change.entity).properties(in: mask)
  }

  /// Returns the values that a deletion has preserved, by attribute, or by column if the attribute is unknown; nil if
  /// there are none.
  private func preserved(of change: HistoryLog.Change) -> JSONValue? {
    guard !change.preserved.isEmpty else { return nil }
    let place = layout?.entity(numbered: change.entity)
    let names = place.flatMap { layout?.preservedAttributes(of: $0) } ?? []
    let members = change.preserved.sorted { $0.key < $1.key }.map { number, value in
      let name = names.indices.contains(number) ? names[number] : nil
      let type = name.flatMap { place?.attributes[$0]?.type }
      return JSONValue.Member(
        key: name ?? "ZTOMBSTONE\(number)", value: Self.json(value, as: type))
    }
    return JSONValue(.object(members))
  }

  private static func json(_ value: SQLiteValue, as type: AttributeType?) -> JSONValue {
    switch (value, type) {
    case (.integer(let seconds), .date?):
      JSONValue(.string(ISODate.text(Double(seconds)) ?? "\(seconds)"))
    case (.real(let seconds), .date?): JSONValue(.string(ISODate.text(seconds) ?? "\(seconds)"))
    case (.integer(let flag), .boolean?) where flag == 0 || flag == 1:
      JSONValue(.boolean(flag == 1))
    case (.integer(let number), _): JSONValue(.number("\(number)"))
    case (.real(let number), _): JSONValue(.number("\(number)"))
    case (.text(let text), _): JSONValue(.string(text))
    case (.blob(let bytes), .uuid?) where bytes.count == 16:
      JSONValue(
        .string(
          UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }).uuidString))
    case (.blob(let bytes), _): JSONValue(.string(bytes.base64))
    case (.null, _): JSONValue(.null)
    }
  }

  func facts(
    of statistics: [HistoryLog.EntityCount], _ transactions: [HistoryLog.Transaction],
    lastTransaction: Int64
  ) -> Facts {
    .page(
      Statistics(
        transactions: transactions.count,
        changes: statistics.flatMap(\.counts.values).reduce(0, +),
        first: transactions.first.flatMap { ISODate.text($0.origin.timestamp) },
        last: transactions.last.flatMap { ISODate.text($0.origin.timestamp) },
        lastTransaction: lastTransaction > 0 ? lastTransaction : nil,
        entities: statistics.map {
          EntityRecord(entity: name(of: $0.entity), counts: Counts($0.counts))
        }))
  }
}
