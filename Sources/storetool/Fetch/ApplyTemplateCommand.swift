import ArgumentParser
import StoreCore
import StoreLayout
import StoreModel

struct ApplyTemplateCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply-template", _superCommandName: Storetool.name,
    abstract: "Run a fetch-request template of the model.",
    discussion: """
      The value of a variable has the type of what the template compares it with: NAME=Ray, \
      SINCE=2026-01-31, DONE=true, PARENT=x-coredata:///Item/p7. To use an expression instead, write := \
      before it: IDS:={1, 2, 3}, NAME:=nil. All options of fetch except --watch are available. --sort and \
      --limit replace those of the template. The predicate of --where is combined with that of the template \
      by AND. You can also run a fetched property (Entity.property). FETCH_SOURCE is the object whose property \
      is fetched: an object ID, or := and a predicate in parentheses that one row matches.

        storetool apply-template peopleFR NAME=Ray
        storetool apply-template Employee.colleagues \\
          'FETCH_SOURCE:=(name == "Ada Lindqvist")'
      """)

  @Argument(
    help: "The name of the template, or Entity.property for a fetched property.",
    completion: .templates)
  var template: String

  @Argument(
    help: ArgumentHelp("The values of the variables.", valueName: "VAR=value"),
    completion: .variables)
  var variables: [String] = []

  @OptionGroup var refinement: FetchOptions
  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    let (store, request) = try prepared()
    let isEmpty = try RowOutput(options: format).print(request, from: store)
    if isEmpty && refinement.failOnEmpty { throw CheckFound() }
  }

  func prepared() throws -> (OpenStore, PreparedRequest) {
    try refinement.prepared(template, variables, in: options, closest: closest)
  }
}

extension FetchOptions {
  /// Returns the open store, and the request of a template with the values of its variables, refined by the options.
  ///
  /// - Throws: An error in the template, its variables or the options, or an error of opening or reading the store.
  func prepared(
    _ template: String, _ variables: [String], in options: StoreOptions, closest: Bool
  ) throws -> (OpenStore, PreparedRequest) {
    let arguments = try TemplateArguments(variables)
    let store = try Workspace(options, closest: closest).openStore(having: .template(template))
    let request = try arguments.request(forTemplate: template, in: store.model) { entity, row in
      try store.store.read { connection in
        let lookup = RowLookup(
          in: store.layout, store: store.store.metadata.uuid, on: connection)
        return try lookup.onlyRow(of: entity, where: row)
      }
    }
    return (store, try refine(request, in: store.model))
  }
}
