import StoreLayout
import ArgumentParser
import StoreDiagnostics
import StoreCore
import StoreModel
import StorePredicate

/// The arguments of a batch update: the rows, and their new values.
struct UpdateOptions: ParsableArguments {
  @Argument(help: "The name of the entity.", completion: .entities)
  var entity: String

  @Argument(help: ArgumentHelp("The new values.", valueName: "key=value"), completion: .assignments)
  var values: [String] = []

  @OptionGroup var condition: WhereOption

  @Flag(name: .customLong("no-subentities"), help: "Exclude rows of subentities.")
  var excludesSubentities = false

  @Flag(
    name: .customLong("no-validate"),
    help: "Skip the model's validation rules. (Core Data's batch updates skip them too.)")
  var skipsValidation = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    if values.isEmpty {
      throw ValidationError("specify at least one new value: storetool batch-update Item done=true")
    }
  }

  func prepared(for access: Store.Access) throws -> (OpenStore, UpdatePlan) {
    let open = try Workspace(store).openStore(having: .entity(entity), for: access)
    let assignments = try UpdateAssignments(values)
    Terminal.report(
      assignments.assignments.compactMap { $0.note(of: entity, in: open.layout) })
    let uuid = open.store.metadata.uuid
    var (update, texts) = try open.store.read { connection in
      let lookup = RowLookup(in: open.layout, store: uuid, on: connection)
      return try assignments.update(of: entity, in: open.layout, row: lookup.onlyRow)
    }
    if let (text, predicate) = try condition.predicate() {
      texts.predicate = text
      update.predicate = predicate
    }
    update.includesSubentities = !excludesSubentities
    update.validates = !skipsValidation
    let plan = try update.plan(
      in: open.layout, storeUUID: uuid, texts: texts)
    return (open, plan)
  }
}
