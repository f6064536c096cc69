import StoreLayout
import SQLiteAccess
import ArgumentParser
import StoreEngine
import StorePredicate

/// `storetool insert`
struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", _superCommandName: Storetool.name,
    abstract: "Inserts one row and prints its object ID.",
    discussion: """
      key=text is a literal of the attribute's type, key:=expression an expression, and \
      toOne:=(predicate) the one row that matches. What is left out gets the model's default.

        storetool insert Item name='Buy milk' done=false
        storetool insert Employee name=Ann 'department:=(name == "Research")'
      """)

  @Argument(help: "The entity's name.", completion: .concreteEntities)
  var entity: String

  @Argument(
    help: ArgumentHelp("The row's values.", valueName: "key=value"), completion: .assignments)
  var values: [String] = []

  @OptionGroup var options: StoreOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let store = try Workspace(options).openStore(having: .entity(entity), for: .writing)
    let assignments = try Assignment.list(values)
    let place = store.layout.entity(named: entity)
    Terminal.report(assignments.compactMap { $0.note(at: place) })
    let id = try store.store.write { connection in
      try RowInsertion(
        into: entity, in: store.layout, store: store.store.metadata.uuid, on: connection
      ).run(assignments)
    }
    Terminal.out.write("\(id.uri)\n")
  }
}
