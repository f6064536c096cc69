import ArgumentParser

/// `storetool model show`
struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints the whole compiled model.",
    discussion: """
      Every entity with its attributes, relationships, indexes and constraints, inherited ones \
      included, and the fetch-request templates.

        storetool model show Models/Company.xcdatamodeld
        storetool model show Models/Company.xcdatamodeld --format json
      """)

  @OptionGroup var model: ModelArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    let found = try model.workspace.currentModel()
    try FactWriter(format).print(ModelFacts.page(of: found))
  }
}
