import ArgumentParser
import StoreLayout
import StoreModel

/// Which rows a view of the page shows: those of an entity, or of a template.
struct PageRequest: ParsableArguments {
  @Argument var entity: String?
  @Option(parsing: .unconditional) var template: String?
  @Argument var variables: [String] = []
  @OptionGroup var refinement: FetchOptions
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func validate() throws {
    if entity == nil && template == nil { throw ValidationError("name an entity or --template") }
  }

  /// The open store, and the request as it was written.
  func prepared() throws -> (OpenStore, PreparedRequest) {
    if let template {
      // The first word is no entity then, but the first of the variables.
      let words = (entity.map { [$0] } ?? []) + variables
      return try TemplateRequest(template, words, refinement).prepared(options, closest: closest)
    }
    let store = try Workspace(options, closest: closest).openStore(having: .entity(entity ?? ""))
    let request = StoreFetchRequest(try store.model.requireEntity(named: entity ?? ""))
    return (store, try refinement.refine(request, in: store.model))
  }
}

/// What the page reads, and no other format: the server says so to each command.
enum PageFormat: String, ExpressibleByArgument {
  case ndjson
}
