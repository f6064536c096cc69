import StoreDiagnostics
import StoreVerification
import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore

struct InfoCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", _superCommandName: Storetool.name,
    abstract: "Describe a store, even without its model.",
    discussion: """
      The output contains the model version that wrote the store, the entities and their row counts, the sizes of \
      the store file and its -wal file, the size of the history, the journal mode, remarks about unusual content, and \
      the app's own metadata. If no model is available, only the model and its version are omitted.

        storetool info
        storetool info Backup/App.sqlite --format json
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    let workspace = try Workspace(options.naming(path), closest: closest)
    let description = try Store.describe(workspace.storePath())
    let model = try workspace.identify(description.metadata)
    var own: OwnModel?
    if case .unknown = model {
      let store = try Store.open(
        description.file.path, .reading, acceptsFaults: true, acceptsTwins: true)
      if let near = try workspace.nearModel(to: store) {
        Terminal.report(near.notes)
      } else {
        own = Workspace.ownModel(of: store)
      }
    }
    try FactWriter(format).print(
      .page(
        StoreFacts(
          of: description, model, own,
          isWhole: format.resolved == .json || format.resolved == .ndjson)))
  }
}
