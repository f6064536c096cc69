import ArgumentParser
import StoreDiagnostics

/// Which store, through which model.
struct StoreOptions: ParsableArguments {
  /// Where nothing else stands as an argument.
  static let argumentHelp = ArgumentHelp("The store; the same as --store.", valueName: "store")

  @Option(
    help: ArgumentHelp(
      "The store file, or a folder or .xcappdata package with one.",
      discussion: "Default: $STORETOOL_STORE, then the store in the working directory.",
      valueName: "path"),
    completion: .stores)
  var store: FilePath?

  @Option(
    help: ArgumentHelp(
      "Take the store of an app in a simulator, and the app's model.",
      discussion: "See 'storetool simulators'.", valueName: "bundle-id"))
  var simulator: String?

  // Those of `ModelOptions`, but no group in a group: each costs the parser as much as ten options.
  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  @Option(
    help: ArgumentHelp("Take the model from a built app.", valueName: "path"), completion: .file())
  var app: FilePath?

  @Option(help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?

  func validate() throws {
    try Self.requireOneStore(store, simulator)
    guard model != nil, app != nil else { return }
    throw ValidationError("name the model by --app or by --model, not by both")
  }

  static func requireOneStore(_ store: FilePath?, _ simulator: String?) throws {
    guard store != nil, simulator != nil else { return }
    throw ValidationError("name the store by --simulator or by its path, not by both")
  }

  /// With the store that stands as an argument.
  ///
  /// - Throws: `DiagnosticError` where both name one, and not the same.
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
        "name the store once: the argument says '\(argument)', --store says '\(option)'",
        cause: .usage))
  }
}

/// A command whose store is in `options`. `each` parses its words once and replaces the store, because parsing takes as
/// long as a short command.
protocol StoreCommand: ParsableCommand {
  var options: StoreOptions { get set }
}

/// Of commands that only read.
enum ClosestOption {
  static let name = "--closest"
  static let help: ArgumentHelp =
    "Read a store that no version at hand wrote by the nearest one, without what differs."
}
