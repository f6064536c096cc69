import ArgumentParser
import StoreCodegen
import StoreDiagnostics
import StoreModelReader

/// Options that specify a model and a version of it.
struct ModelOptions: ParsableArguments {
  static let modelHelp = ArgumentHelp(
    """
    An .xcdatamodeld, an .xcdatamodel, a contents file or a model .xml; a compiled .momd or .mom; the folder \
    of an app or another folder with models; or a store.
    """,
    discussion: "Default: $STORETOOL_MODEL, then Models/ in the working directory.",
    valueName: "path")
  /// The help of `--model` in commands whose arguments are versions.
  static let versionsHelp = ArgumentHelp(
    "The model that contains the versions.",
    discussion: "Default: $STORETOOL_MODEL, then Models/ in the working directory.",
    valueName: "path")
  static let versionHelp = ArgumentHelp(
    "The name of the model version. Default: the version that wrote the store.",
    valueName: "version")

  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  @Option(help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?
}

/// The option for the folder with the lock file and the definitions of migrations.
struct MigrationsOption: ParsableArguments {
  static let help = ArgumentHelp(
    "The folder of lock files and migrations.",
    discussion: "Default: Migrations/ next to the folder that contains the model.",
    valueName: "folder")

  @Option(help: MigrationsOption.help, completion: .directory)
  var migrations: FilePath?

  func folder(of bundle: ModelBundle) -> FilePath {
    bundle.migrationsFolder(named: migrations)
  }
}

extension ModelBundle {
  /// Returns the specified folder, otherwise the folder in the project's settings, otherwise the default folder.
  func migrationsFolder(named name: FilePath?) -> FilePath {
    name ?? Settings.ifSound.migrations ?? defaultMigrationsFolder
  }
}

extension [ModelBundle] {
  /// Returns the models that have a version with a name.
  ///
  /// - Throws: `DiscoveryError.noModelHasVersion` if there are none.
  func having(_ version: String) throws(DiscoveryError) -> [ModelBundle] {
    let having = filter { $0.hasVersion(named: version) }
    guard having.isEmpty else { return having }
    throw .noModelHasVersion(version, known: flatMap { $0.versions.map(\.name) })
  }
}

/// The option `--force` of commands that write generated files.
struct OverwritingOption: ParsableArguments {
  @Flag(help: "Overwrite a file that storetool didn't generate.")
  var force = false

  /// - Returns: False if the file was up to date.
  /// - Throws: `GeneratedFileError`
  func write(_ file: GeneratedFile) throws(GeneratedFileError) -> Bool {
    try file.write(overwritesAny: force)
  }
}
