import StoreDiagnostics
import ArgumentParser
import StoreModelReader

/// Where the lock file and the definitions of migrations are.
struct MigrationsOption: ParsableArguments {
  static let help = ArgumentHelp(
    "The folder of lock files and migrations.",
    discussion: "Default: Migrations/ beside the folder that holds the model.",
    valueName: "folder")

  @Option(name: .long, help: MigrationsOption.help, completion: .directory)
  var migrations: FilePath?

  func folder(of bundle: ModelBundle) -> FilePath {
    bundle.migrationsFolder(named: migrations)
  }
}

extension ModelBundle {
  /// The folder that was named, else that of the project's settings, else the one where it is looked for.
  func migrationsFolder(named name: FilePath?) -> FilePath {
    name ?? Settings.ifSound.migrations ?? defaultMigrationsFolder
  }
}
