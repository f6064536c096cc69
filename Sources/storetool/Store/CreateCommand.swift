import StoreDiagnostics
import ArgumentParser
import StoreCore
import StoreModelReader

/// `storetool create`
struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", _superCommandName: Storetool.name,
    abstract: "Makes an empty store.",
    discussion: """
      The store has the tables, indexes and version hashes that Core Data itself would give it. \
      Without STORE it becomes <ModelName>.sqlite in the working directory; a file that exists is \
      never overwritten.

        storetool create --model Models/Todo.xcdatamodeld
      """)

  @Argument(
    help: ArgumentHelp("The file to create; the same as --store.", valueName: "store"),
    completion: .file())
  var path: FilePath?

  @Option(help: ArgumentHelp("The file to create.", valueName: "path"), completion: .file())
  var store: FilePath?

  @OptionGroup var model: ModelOptions

  func validate() throws {
    if path == "" || store == "" { throw ValidationError("the name of the store is empty") }
  }

  func run() throws {
    let given = try StoreOptions.store(path, or: store)
    let found = try Workspace(model: model).currentModel()
    let path = given ?? "\(found.bundle.name).sqlite"
    for risk in try Store.create(at: path, for: found.model) {
      Terminal.note(risk, code: "create.unsettled")
    }
    Terminal.err.write("made \(path), an empty store of \(found.description)\n")
  }
}
