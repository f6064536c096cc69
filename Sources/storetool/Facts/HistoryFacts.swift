import StoreEngine
import StorePredicate

/// The facts of `history`.
struct HistoryFacts {
  /// The model's entities; nil when the model is unknown, and then changed properties are, too.
  var layout: StoreLayout?
  /// Entity names by number, as the store itself says.
  var names: [Int64: String]
  var storeUUID: String

  func name(of entity: Int64) -> String {
    layout?.entity(numbered: entity)?.name ?? names[entity] ?? "\(entity)"
  }

  static func facts(of transactions: [HistoryLog.Transaction]) -> Facts {
    let columns = [
      "transaction", "date", "author", "bundle", "context", "process", "inserts", "updates",
      "deletes",
    ]
    return .records(
      columns: columns,
      transactions.map { transaction in
        var object = FactObject()
        object.add("transaction", transaction.number)
        object.add("date", ISODate.text(transaction.origin.timestamp))
        object.add("author", transaction.origin.author)
        object.add("bundle", transaction.origin.bundle)
        object.add("context", transaction.origin.context)
        object.add("process", transaction.origin.process)
        object.add(transaction.counts)
        return object.value
      })
  }

  func facts(of changes: [HistoryLog.Change]) -> Facts {
    .records(
      columns: ["transaction", "date", "change", "entity", "id", "properties"],
      changes.map { change in
        let entity = name(of: change.entity)
        var object = FactObject()
        object.add("transaction", change.transaction)
        object.add("date", ISODate.text(change.timestamp))
        object.add("change", change.kind?.name)
        object.add("entity", entity)
        object.add(
          "id", ObjectID(store: storeUUID, entity: entity, primaryKey: change.key).uri)
        object.add("properties", properties(of: change))
        return object.value
      })
  }

  /// Null when the change has none, or when no model tells their names.
  private func properties(of change: HistoryLog.Change) -> JSONValue? {
    guard let mask = change.mask, let layout, layout.entity(numbered: change.entity) != nil else {
      return nil
    }
    let names = layout.changedProperties(of: change.entity).properties(in: mask)
    return JSONValue(.array(names.map { JSONValue(.string($0)) }))
  }

  func facts(
    of statistics: [HistoryLog.EntityCount], _ transactions: [HistoryLog.Transaction]
  ) -> Facts {
    var page = FactObject()
    page.add("transactions", transactions.count)
    page.add("changes", statistics.flatMap(\.counts.values).reduce(0, +))
    page.add("first", transactions.first.flatMap { ISODate.text($0.origin.timestamp) })
    page.add("last", transactions.last.flatMap { ISODate.text($0.origin.timestamp) })
    page.add("lastTransaction", transactions.last?.number)
    page.add(
      "entities",
      statistics.map { count in
        var object = FactObject()
        object.add("entity", name(of: count.entity))
        object.add(count.counts)
        return object
      })
    return .page(page.value)
  }
}

extension FactObject {
  fileprivate mutating func add(_ counts: [ChangeKind: Int64]) {
    for kind in ChangeKind.allCases { add("\(kind.name)s", counts[kind] ?? 0) }
  }
}
