import ArgumentParser
import StoreCodegen
import StoreDiagnostics
import StoreModelReader

/// Options that specify a model and a version of it.
struct ModelOptions: ParsableArguments {
  static let modelHelp = ArgumentHelp(
    """
    An .xcdatamodeld, an .xcdatamodel, a contents file or a copy of it with the extension .xml; a compiled .momd or \
    .mom; a folder that contains models, such as the source folder of an app; or a store that contains its model.
    """,
    discussion: defaultModel, valueName: "path")
  /// The help of `--model` in commands that use the model of a store.
  static let storeModelHelp = ArgumentHelp(
    modelHelp.abstract,
    discussion: """
      \(defaultModel) If none of them matches the store, most commands use the model that the store contains, or \
      infer a model from its tables.
      """, valueName: "path")
  /// The help of `--model` in commands whose arguments are versions.
  static let versionsHelp = ArgumentHelp(
    "The model that contains the versions.", discussion: defaultModel, valueName: "path")
  /// The help of `--model-version` in commands that use the model of a store.
  static let storeVersionHelp = ArgumentHelp(
    """
    The name of the model version. Default: the version that wrote the store or, if the command has no store, the \
    current version.
    """,
    valueName: "version")

  /// The sentence about the models of a command for which the user doesn't specify a model.
  static let defaultModel =
    """
    Default: $STORETOOL_MODEL, then 'model' in storetool.json, then Models/ in the working directory or, if \
    there is no such folder, all models below the working directory.
    """

  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: LocalPath?

  @Option(
    help: ArgumentHelp(
      """
      Use only this model version. Default: the current version, or all versions for the commands 'model check', \
      'model compile', 'model lock' and 'model decompile --output'.
      """, valueName: "version"),
    completion: .versions)
  var modelVersion: String?
}

/// The option for the folder with the lock files and the definitions of migrations.
struct MigrationsOption: ParsableArguments {
  static let help = ArgumentHelp(
    "The folder of migration definitions and of the lock files that 'model lock' writes.",
    discussion: """
      Default: 'migrations' in storetool.json, then Migrations/ next to the folder that contains the model.
      """,
    valueName: "folder")

  @Option(help: MigrationsOption.help, completion: .directory)
  var migrations: LocalPath?

  func folder(of bundle: ModelBundle) -> LocalPath {
    bundle.migrationsFolder(named: migrations)
  }
}

extension ModelBundle {
  /// Returns the specified folder, otherwise the folder in the project's settings, otherwise the default folder.
  func migrationsFolder(named name: LocalPath?) -> LocalPath {
    name ?? Settings.ifSound.migrations ?? defaultMigrationsFolder
  }
}

extension [ModelBundle] {
  /// Returns the models that have a version with the name `version`.
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

  /// Writes the file if its content differs, and prints whether it was written.
  ///
  /// - Throws: `GeneratedFileError`.
  func write(_ file: GeneratedFile) throws(GeneratedFileError) {
    let isWritten = try file.write(overwritesAny: force)
    Terminal.err.write("\(file.path): \(isWritten ? "written" : "unchanged")\n")
  }
}
