import ArgumentParser
import StoreDiagnostics

/// Options that specify a store and its model.
struct StoreOptions: ParsableArguments {
  /// The help of a store that is the only argument.
  static let argumentHelp = ArgumentHelp("The store, like --store.", valueName: "store")

  @Option(
    help: ArgumentHelp(
      "The store file, or a folder or .xcappdata package that contains one.",
      discussion: "Default: $STORETOOL_STORE, then the store in the working directory.",
      valueName: "path"),
    completion: .stores)
  var store: FilePath?

  @Option(
    help: ArgumentHelp(
      "Use the store and the model of an app in a simulator.",
      discussion: "See 'storetool simulators'.", valueName: "bundle-id"))
  var simulator: String?

  // The options of `ModelOptions` are repeated here, because a nested group costs the parser as much as ten options.
  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  @Option(
    help: ArgumentHelp("Use the model of a built app.", valueName: "path"), completion: .file())
  var app: FilePath?

  @Option(help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?

  func validate() throws {
    try Self.requireOneStore(store, simulator)
    guard model != nil, app != nil else { return }
    throw ValidationError("specify the model either by --app or by --model")
  }

  static func requireOneStore(_ store: FilePath?, _ simulator: String?) throws {
    guard store != nil, simulator != nil else { return }
    throw ValidationError("specify the store either by --simulator or by its path")
  }

  /// Returns the options with the store that is specified as an argument.
  ///
  /// - Throws: `DiagnosticError` if an option specifies another store.
  func naming(_ argument: FilePath?) throws -> StoreOptions {
    var options = self
    options.store = try Self.store(argument, or: store)
    try options.validate()
    return options
  }

  static func store(_ argument: FilePath?, or option: FilePath?) throws -> FilePath? {
    guard let argument, let option, argument != option else { return argument ?? option }
    throw DiagnosticError(
      Diagnostic(
        .error, "usage",
        "specify the store only once: the argument is '\(argument)', --store is '\(option)'",
        cause: .usage))
  }
}

/// A command whose store is in `options`. `each` parses its words once and replaces the store, because parsing takes as
/// long as a short command.
protocol StoreCommand: ParsableCommand {
  var options: StoreOptions { get set }
}

/// The option of commands that only read.
enum ClosestOption {
  static let name = "--closest"
  static let help: ArgumentHelp =
    "Read a store of an unknown model version with the closest version, without differing properties."
}
