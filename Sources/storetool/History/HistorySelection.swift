import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate

/// The changes of a history that are asked for.
struct HistorySelection {
  private let facts: HistoryFacts
  /// The numbers of the entities; nil for all.
  private let entities: Set<Int64>?
  private let key: Int64?
  private let kind: ChangeKind?
  private let property: String?
  private let author: String?

  /// - Throws: `DiagnosticError` for what the store does not have.
  init(_ options: HistoryFilterOptions, in facts: HistoryFacts) throws {
    self.facts = facts
    let object = options.objectID
    if let store = object?.store, store != facts.storeUUID.uppercased() {
      throw DiagnosticError(
        Diagnostic(
          .error, "history.other-store",
          "'\(options.object ?? "")' is a row of another store"
        ).helping("the rows of this one are x-coredata://\(facts.storeUUID)/…"))
    }
    let named = try [options.entity, object?.entity].compactMap(\.self).map {
      try facts.numbers(ofEntity: $0)
    }
    entities = named.isEmpty ? nil : named.dropFirst().reduce(named[0]) { $0.intersection($1) }
    key = object?.primaryKey
    kind = options.property == nil ? options.change : .update
    property = options.property
    author = options.author
    if let property { try facts.require(property, of: entities) }
  }

  func includes(_ transaction: HistoryLog.Transaction) -> Bool {
    author == nil || transaction.origin.author == author
  }

  func includes(_ change: HistoryLog.Change) -> Bool {
    if let entities, !entities.contains(change.entity) { return false }
    if let key, change.key != key { return false }
    if let kind, change.kind != kind { return false }
    guard let property else { return true }
    return facts.changedProperties(of: change)?.contains(property) == true
  }

  /// A note where nobody of that name has changed anything.
  func note(on transactions: [HistoryLog.Transaction]) -> Diagnostic? {
    guard let author, !transactions.contains(where: includes) else { return nil }
    let known = Set(transactions.compactMap(\.origin.author)).sorted()
    return Diagnostic(.note, "history.no-author", "no transaction here is of '\(author)'")
      .didYouMean(author, among: known, elseListing: "its authors are")
  }
}

extension HistoryFacts {
  /// Those of an entity, and, where a model tells them, of entities below it.
  fileprivate func numbers(ofEntity name: String) throws -> Set<Int64> {
    var known = names
    for entity in layout?.entities ?? [] { known[entity.number] = entity.name }
    let model = layout?.model
    let numbers = known.filter { _, other in
      guard let model, let ancestor = model.entity(named: name),
        let entity = model.entity(named: other)
      else { return other == name }
      return model.isKind(entity, of: ancestor)
    }
    guard !numbers.isEmpty else {
      throw DiagnosticError(
        Diagnostic(
          .error, "history.unknown-entity", "the store has no entity '\(name)'", cause: .notFound
        ).didYouMean(name, among: known.values.sorted(), elseListing: "its entities are"))
    }
    return Set(numbers.keys)
  }

  /// - Parameter entities: their numbers; nil for all.
  fileprivate func require(_ property: String, of entities: Set<Int64>?) throws {
    guard let layout else {
      throw DiagnosticError(
        Diagnostic(
          .error, "history.no-names", "what an update has changed needs the model",
          cause: .notFound
        ).helping("name the model that wrote the store"))
    }
    let numbers = entities ?? Set(layout.entities.map(\.number))
    let known = Set(numbers.flatMap { layout.changedProperties(of: $0).names })
    guard known.contains(property) else {
      throw DiagnosticError(
        Diagnostic(
          .error, "history.unknown-property", "there is no property '\(property)'",
          cause: .notFound
        ).didYouMean(property, among: known.sorted(), elseListing: "the properties are"))
    }
  }
}
