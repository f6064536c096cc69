import ArgumentParser
import StoreDiagnostics

/// Options that specify a store and its model.
struct StoreOptions: ParsableArguments {
  /// The help of a store that is specified as an argument instead of by `--store`.
  static let argumentHelp = ArgumentHelp("The store. The same as --store.", valueName: "store")

  @Option(
    help: ArgumentHelp(
      "The store file, or a folder or .xcappdata package that contains one.",
      discussion: """
        Default: $STORETOOL_STORE, then 'store' in storetool.json (see 'settings'), then the only store in the \
        working directory. If the directory contains several, but only one has the entity or template that you \
        specify, that one is used.
        """,
      valueName: "path"),
    completion: .stores)
  var store: LocalPath?

  @Option(
    help: ArgumentHelp(
      """
      Use the store of an app or app group in a simulator, and the app's model unless another one is specified.
      """,
      discussion: "See 'storetool simulators'.", valueName: "bundle-id"))
  var simulator: String?

  // The options of `ModelOptions` are repeated here, because a nested group costs the parser as much time as ten
  // options.
  @Option(help: ModelOptions.storeModelHelp, completion: .file())
  var model: LocalPath?

  @Option(
    help: ArgumentHelp("Use the model of this built app instead of --model.", valueName: "path"),
    completion: .file())
  var app: LocalPath?

  @Option(help: ModelOptions.storeVersionHelp, completion: .versions)
  var modelVersion: String?

  func validate() throws {
    try Self.requireOneStore(store, simulator)
    guard model != nil, app != nil else { return }
    throw ValidationError("specify the model either by --app or by --model")
  }

  static func requireOneStore(_ store: LocalPath?, _ simulator: String?) throws {
    guard store != nil, simulator != nil else { return }
    throw ValidationError("specify the store either by --simulator or by its path")
  }

  /// Returns the options with the store that is specified as an argument, if there is one.
  ///
  /// - Throws: `DiagnosticError` if `--store` specifies another store, or `ValidationError` if `--simulator` is
  ///   specified too.
  func naming(_ argument: LocalPath?) throws -> StoreOptions {
    var options = self
    options.store = try Self.store(argument, or: store)
    try options.validate()
    return options
  }

  /// Returns the store that is specified either as an argument or by `--store`; nil if there is none.
  ///
  /// - Throws: `DiagnosticError` if they specify different stores.
  static func store(_ argument: LocalPath?, or option: LocalPath?) throws -> LocalPath? {
    guard let argument, let option, argument != option else { return argument ?? option }
    throw DiagnosticError(
      "usage", "specify the store only once: the argument is '\(argument)', --store is '\(option)'",
      cause: .usage)
  }
}

/// A command whose store is in `options`. `each` parses the arguments once and replaces the store for each run, because
/// parsing takes as long as a short command.
protocol StoreCommand: ParsableCommand {
  var options: StoreOptions { get set }
}

/// The option `--closest` of commands that only read.
enum ClosestOption {
  static let name = "--closest"
  static let help: ArgumentHelp =
    """
    If the store wasn't written by an available model version, use the closest one. Properties that are missing from \
    the store, or have a different type there, are omitted.
    """
}
