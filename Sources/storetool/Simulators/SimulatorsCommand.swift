import ArgumentParser
import StoreDiagnostics

struct SimulatorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulators", _superCommandName: Storetool.name,
    abstract: "List the stores of apps in Xcode's simulators.",
    discussion: """
      The output has a row for each store of an app or of an app group. Apps without a store also have a row, \
      except Apple's apps. Other commands use the store with --simulator BUNDLE-ID.

        storetool simulators
        storetool simulators com.example.Todo --format json
        storetool fetch Item --simulator com.example.Todo
      """)

  @Argument(help: ArgumentHelp("List only this app or app group.", valueName: "bundle-id"))
  var id: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the simulators' devices.",
      discussion:
        "Default: $\(Simulators.variable), then ~/Library/Developer/CoreSimulator/Devices.",
      valueName: "folder"), completion: .directory)
  var root: LocalPath?

  @OptionGroup var format: FormatOptions

  func run() throws {
    let records = try Simulators(root: root).containers(of: id).flatMap { container in
      let stores = try container.stores()
      let isTold = container.kind == .app && !container.id.hasPrefix("com.apple.")
      let listed: [LocalPath?] = stores.isEmpty && isTold ? [nil] : stores
      let simulator = container.simulator
      return listed.map { store in
        Record(
          device: simulator.name, system: simulator.system, booted: simulator.isBooted,
          udid: simulator.udid, kind: container.kind.rawValue, id: container.id, store: store)
      }
    }
    try FactWriter(format).print(
      .records(
        columns: ["device", "system", "booted", "udid", "kind", "id", "store"], records))
  }

  private struct Record: Encodable {
    let device, system: String
    let booted: Bool
    let udid, kind, id: String
    let store: LocalPath?
  }
}
