import ArgumentParser
import RecordFormats
import StoreModel

/// `storetool page-complete`, for the page of `browse`: what a predicate may go on with.
struct PageCompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-complete", _superCommandName: Storetool.name,
    abstract: "Completes a predicate for the page of 'browse'.", shouldDisplay: false)

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
