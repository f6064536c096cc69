import ArgumentParser
import RecordFormats
import StoreLayout
import StoreModel

/// The request for the rows that a table on the page shows: an entity or a template, and the options that refine it.
struct PageRequest: ParsableArguments {
  @Argument var entity: String?
  @Option(parsing: .unconditional) var template: String?
  @Argument var variables: [String] = []
  @OptionGroup var refinement: FetchOptions
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func validate() throws {
    if entity == nil && template == nil { throw ValidationError("specify an entity or --template") }
  }

  func prepared() throws -> (OpenStore, PreparedRequest) {
    if let template {
      // With a template, the first argument is the first variable instead of the entity.
      let words = (entity.map { [$0] } ?? []) + variables
      return try refinement.prepared(template, words, in: options, closest: closest)
    }
    let store = try Workspace(options, closest: closest).openStore(having: .entity(entity ?? ""))
    let request = StoreFetchRequest(try store.model.requireEntity(named: entity ?? ""))
    return (store, try refinement.refine(request, in: store.model))
  }
}

/// The only format that the page reads. The server passes it to each command.
enum PageFormat: String, ExpressibleByArgument {
  case ndjson
}

/// `storetool page-complete`, for the page of `browse`: prints the completions of a predicate.
struct PageCompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-complete", _superCommandName: Storetool.name,
    abstract: "Complete a predicate for the page of 'browse'.", shouldDisplay: false)

  @Argument var entity: String
  /// The predicate up to the caret.
  @Argument var text = ""
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    let store = try Workspace(options, closest: closest).openStore(having: .entity(entity))
    let entity = try store.model.requireEntity(named: entity)
    var out = ByteBuffer()
    for candidate in PredicateWords(text).candidates(from: entity, in: store.model) {
      out.append(line: candidate)
    }
    try OutputFile.standard.write(out.bytes)
  }
}
