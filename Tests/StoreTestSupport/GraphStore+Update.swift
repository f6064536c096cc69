import PredicateSQL
package import StoreCore
import StoreLayout
package import StoreModel
import StorePredicate
package import Testing

extension GraphStore {
  /// A few objects. Being 1, Person 2, Robot 3, Passport 4, Tag 5, Thing 6, Gadget 7.
  package static func sample() throws -> GraphStore {
    let made = try GraphStore()
    try made.importing(
      """
      {"$entity": "Person", "key": "Ann", "note": "a", "age": 30, "passport": {"$entity": "Passport", "key": "PA"}}
      {"$entity": "Person", "key": "Bob", "age": 40}
      {"$entity": "Person", "key": "Cyd", "note": "c"}
      {"$entity": "Robot", "key": "R2", "age": 2.5}
      {"$entity": "Thing", "key": "cup", "count16": 3, "ratio": 1.5, "flag": true, "price": 10}
      {"$entity": "Thing", "key": "jar", "count16": 5, "count32": 7}
      {"$entity": "Gadget", "key": "fan", "count16": 8, "serial": 4, "flag": false}
      """)
    return made
  }

  /// Updates like `batch-update`, and expects the counts of its dry run.
  @discardableResult
  package func update(
    _ entity: String, _ values: [String], where predicate: String? = nil,
    subentities: Bool = true, keepsKeys: Bool = false, validates: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> UpdateResult {
    let plan = try updatePlan(
      entity, values, where: predicate, subentities: subentities, validates: validates)
    let expected = try store.dryRun(of: plan, in: layout).counts
    let outcome = try store.update(by: plan, in: layout, keepsKeys: keepsKeys)
    if outcome != expected {
      Issue.record(
        "the dry run reported \(expected), not \(outcome)", sourceLocation: sourceLocation)
    }
    return outcome
  }

  package func updatePlan(
    _ entity: String, _ values: [String], where predicate: String? = nil,
    subentities: Bool = true, validates: Bool = true
  ) throws -> UpdatePlan {
    let uuid = store.metadata.uuid
    var (update, texts) = try store.read { connection in
      let lookup = RowLookup(in: layout, store: uuid, on: connection)
      return try UpdateAssignments(values).update(of: entity, in: layout, row: lookup.onlyRow)
    }
    if let predicate {
      let text = PredicateText(predicate, context: "in --where")
      texts.predicate = text
      update.predicate = try text.predicate()
    }
    update.includesSubentities = subentities
    update.validates = validates
    return try update.plan(in: layout, storeUUID: uuid, texts: texts)
  }
}
