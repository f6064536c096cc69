import StoreDiagnostics
import ArgumentParser
import StoreMigration
import StoreModelReader

/// `storetool migrate new`
struct MigrateNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract:
      "Writes the skeleton of a definition between two versions, with what can't be inferred.",
    discussion: """
        storetool migrate new Todo 'Todo 2'
      """)

  @Argument(help: "The version that stores have.", completion: .versions)
  var from: FilePath

  @Argument(help: "The version that they get.", completion: .versions)
  var to: FilePath

  @OptionGroup var migrations: MigrationsOption

  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  func run() throws {
    let workspace = Workspace(modelPath: model)
    let (source, target) = (try workspace.model(from), try workspace.model(to))
    let bundle = target.bundle
    let path = DefinitionFolder.path(
      from: source.version.name, to: target.version.name, of: bundle,
      in: migrations.folder(of: bundle))
    let pairing = ModelPairing(from: source.model, to: target.model)
    try DefinitionFolder.add(DefinitionSkeleton(pairing).text, at: path)
    print(path)
  }
}
