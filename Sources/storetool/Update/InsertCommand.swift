import RecordFormats
import StoreLayout
import SQLiteAccess
import ArgumentParser
import StoreDiagnostics
import StoreCore
import StorePredicate

struct InsertCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", _superCommandName: Storetool.name,
    abstract: "Insert one row and print its object ID.",
    discussion: """
      key=text sets an attribute to this text, read as a value of its type. key:=expression sets it to the result of \
      an expression. For a to-one relationship, key:=(predicate) links the row to the only row of the destination that \
      matches the predicate. Attributes without a value get the model's default. --dry-run only checks the row. It \
      doesn't check whether linked rows would get too many members in the inverse relationship.

        storetool insert Item name='Buy milk' done=false
        storetool insert Employee name=Ann 'department:=(name == "Research")'
      """)

  @Argument(help: "The name of the entity.", completion: .concreteEntities)
  var entity: String

  @Argument(
    help: ArgumentHelp("The values of the row.", valueName: "key=value"), completion: .assignments)
  var values: [String] = []

  @OptionGroup var options: StoreOptions

  @Flag(help: "Only check the row, without inserting it.")
  var dryRun = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let store = try Workspace(options).openStore(
      having: .entity(entity), for: dryRun ? .reading : .writing)
    if dryRun { try store.found.requireForWriting(store.store) }
    let assignments = try Assignment.list(values)
    Terminal.report(assignments.compactMap { $0.note(of: entity, in: store.layout) })
    let insertion = { (connection: Connection) in
      try RowInsertion(
        into: entity, in: store.layout, store: store.store.metadata.uuid, on: connection)
    }
    guard dryRun else {
      let id = try store.store.write { try insertion($0).run(assignments) }
      return try UnreportedChange.reporting(store.store.path) { try print(id) }
    }
    try store.store.read { try insertion($0).check(assignments) }
    try FactWriter(format).print(.page(["inserts": 1]))
  }

  /// Prints the plain ID unless a format is specified.
  private func print(_ id: ObjectID) throws {
    guard format.format != nil else { return try OutputFile.standard.write("\(id.uri)\n") }
    try FactWriter(format).print(.page(["objectID": id.uri]))
  }
}
