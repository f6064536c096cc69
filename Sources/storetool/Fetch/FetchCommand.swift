import RecordFormats
import ArgumentParser
import StoreModel

struct FetchCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", _superCommandName: Storetool.name,
    abstract: "Print the rows of an entity, selected values, or aggregates.",
    discussion: """
      A row contains its attributes, sorted by name, then its to-one relationships as object IDs. \
      Without --sort, rows are sorted by primary key, distinct rows by the selected values, and groups by \
      the key paths of --group-by.

        storetool fetch Employee --where 'department.name == "Research"' --sort -age
        storetool fetch Employee --select '*,department.name' --format vertical
        storetool fetch Product --group-by country \\
          --select 'country,sum(amount),avg(price)'
        storetool fetch Employee --sections department.name --sort name
        storetool fetch Employee --sections department.name --watch
      """)

  @Argument(help: "The name of the entity.", completion: .entities)
  var entity: String

  @OptionGroup var refinement: FetchOptions

  @Flag(help: "Keep showing the rows as they change, until you press Ctrl-C.")
  var watch = false

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    guard watch else { return }
    if refinement.failOnEmpty {
      throw ValidationError("--watch waits for rows; omit --fail-on-empty")
    }
    if refinement.count || refinement.ids || !refinement.groupBy.isEmpty || refinement.distinct {
      throw ValidationError(
        "--watch shows rows; omit --count, --ids, --group-by and --distinct")
    }
    if let format = format.format, format != .table && format != .ndjson {
      throw ValidationError("--watch requires the format table or ndjson")
    }
  }

  func run() throws {
    let (store, request) = try prepared()
    if watch {
      try WatchOutput(options: format, request: request, store: store).run()
    } else {
      let isEmpty = try RowOutput(options: format).print(request, from: store)
      if isEmpty && refinement.failOnEmpty { throw CheckFound() }
    }
  }

  func prepared() throws -> (OpenStore, PreparedRequest) {
    let store = try Workspace(options, closest: closest).openStore(having: .entity(entity))
    let request = StoreFetchRequest(try store.model.requireEntity(named: entity))
    return (store, try refinement.refine(request, in: store.model))
  }
}
