import StoreDiagnostics
import ArgumentParser

/// `storetool templates`
struct TemplatesCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates", _superCommandName: Storetool.name,
    abstract: "Lists the model's fetch-request templates and their variables.",
    discussion: """
      Fetched properties stand behind them, as Entity.property.

        storetool templates
        storetool templates --model Models/People.xcdatamodeld --format json
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: FilePath?

  @OptionGroup var options: StoreOptions

  @Flag(name: .long, help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    let model = try Workspace(options.naming(path), closest: closest).modelOfStore().model
    try FactWriter(format).print(TemplateFacts.all(in: model))
  }
}
