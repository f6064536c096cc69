import StoreDiagnostics
import ArgumentParser
import StoreCore
import StoreModelReader

struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", _superCommandName: Storetool.name,
    abstract: "Create an empty store.",
    discussion: """
      The store has the same tables, indexes and version hashes as a store that Core Data creates. Without \
      STORE, the file is <ModelName>.sqlite in the working directory. Existing files are never overwritten.

        storetool create --model Models/Todo.xcdatamodeld
      """)

  @Argument(
    help: ArgumentHelp("The file to create, like --store.", valueName: "store"),
    completion: .file())
  var path: LocalPath?

  @Option(help: ArgumentHelp("The file to create.", valueName: "path"), completion: .file())
  var store: LocalPath?

  @OptionGroup var model: ModelOptions

  func validate() throws {
    if path == "" || store == "" { throw ValidationError("the name of the store is empty") }
  }

  func run() throws {
    let given = try StoreOptions.store(path, or: store)
    let found = try Workspace(modelPath: model.model, modelVersion: model.modelVersion)
      .currentModel()
    let path = given ?? "\(found.bundle.name).sqlite"
    for risk in try Store.create(at: path, for: found.model) {
      Terminal.note(risk, code: "create.unsettled")
    }
    Terminal.err.write("created \(path), an empty store of \(found.description)\n")
  }
}
