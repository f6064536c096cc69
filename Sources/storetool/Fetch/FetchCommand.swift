import RecordFormats
import ArgumentParser
import StoreModel

/// `storetool fetch`
struct FetchCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", _superCommandName: Storetool.name,
    abstract: "Prints rows of an entity, or values and aggregates of them.",
    discussion: """
      Rows come with their attributes by name, then their to-one relationships as object IDs, in \
      the order of their primary keys unless --sort says otherwise.

        storetool fetch Employee --where 'department.name == "Research"' --sort -age
        storetool fetch Employee --select '*,department.name' --format vertical
        storetool fetch Product --group-by country \\
          --select 'country,sum(amount),avg(price)'
        storetool fetch Employee --sections department.name --sort name
        storetool fetch Employee --sections department.name --watch
      """)

  @Argument(help: "The entity's name.", completion: .entities)
  var entity: String

  @OptionGroup var refinement: FetchOptions

  @Flag(help: "Keep showing the rows as they change, until Ctrl-C.")
  var watch = false

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    guard watch else { return }
    if refinement.failOnEmpty {
      throw ValidationError("--watch waits for rows; leave out --fail-on-empty")
    }
    if refinement.count || refinement.ids || !refinement.groupBy.isEmpty || refinement.distinct {
      throw ValidationError(
        "--watch follows rows; leave out --count, --ids, --group-by, --distinct")
    }
    if let format = format.format, format != .table && format != .ndjson {
      throw ValidationError("--watch writes a table or ndjson")
    }
  }

  func run() throws {
    let (store, request) = try prepared()
    if watch {
      try WatchOutput(format, request, of: store).run()
    } else {
      let isEmpty = try RowOutput(options: format).print(request, from: store)
      if isEmpty && refinement.failOnEmpty { throw CheckFound() }
    }
  }

  /// The open store, and the request that the options describe.
  func prepared() throws -> (OpenStore, PreparedRequest) {
    let store = try Workspace(options, closest: closest).openStore(having: .entity(entity))
    let request = StoreFetchRequest(try store.model.requireEntity(named: entity))
    return (store, try refinement.refine(request, in: store.model))
  }
}
