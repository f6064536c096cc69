import ArgumentParser
import StoreModelReader

/// Where the lock file and the definitions of migrations are.
struct MigrationsOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of lock files and migrations.",
      discussion: "Default: Migrations/ beside the folder that holds the model.",
      valueName: "folder"),
    completion: .directory)
  var migrations: String?

  func folder(of bundle: ModelBundle) -> String {
    migrations ?? bundle.defaultMigrationsFolder
  }
}
