import ArgumentParser
import StoreDiagnostics

/// `storetool simulators`
struct SimulatorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulators", _superCommandName: Storetool.name,
    abstract: "Lists the stores of apps in Xcode's simulators.",
    discussion: """
      Each row is a store of an app or of an app group. An app without a store has a row, too, unless \
      it is Apple's. Other commands take the store with --simulator BUNDLE-ID.

        storetool simulators
        storetool simulators com.example.Todo --format json
        storetool fetch Item --simulator com.example.Todo
      """)

  @Argument(help: ArgumentHelp("Only this app or app group.", valueName: "bundle-id"))
  var id: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of devices.",
      discussion:
        "Default: $\(Simulators.variable), then ~/Library/Developer/CoreSimulator/Devices.",
      valueName: "folder"), completion: .directory)
  var root: FilePath?

  @OptionGroup var format: FormatOptions

  func run() throws {
    let simulators = try Simulators(root: root)
    try FactWriter(format).print(SimulatorFacts.all(of: simulators.containers(of: id)))
  }
}
