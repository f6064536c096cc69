import ArgumentParser
import StoreDiagnostics

/// Which store, through which model.
struct StoreOptions: ParsableArguments {
  static let storeHelp = ArgumentHelp(
    "The store file.",
    discussion: "Default: $STORETOOL_STORE, then the store in the working directory.",
    valueName: "path")

  /// Where nothing else stands as an argument.
  static let argumentHelp = ArgumentHelp("The store; the same as --store.", valueName: "store")

  @Option(name: .long, help: StoreOptions.storeHelp, completion: .stores)
  var store: FilePath?

  // Those of `ModelOptions`, but no group in a group: each costs the parser as much as ten options.
  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  @Option(name: .long, help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?

  /// With the store that stands as an argument.
  ///
  /// - Throws: `DiagnosticFailure` where both name one, and not the same.
  func naming(_ argument: FilePath?) throws -> StoreOptions {
    var options = self
    options.store = try Self.store(argument, or: store)
    return options
  }

  static func store(_ argument: FilePath?, or option: FilePath?) throws -> FilePath? {
    guard let argument, let option, argument != option else { return argument ?? option }
    throw DiagnosticFailure(
      Diagnostic(
        .error, "usage",
        "name the store once: the argument says '\(argument)', --store says '\(option)'",
        cause: .usage))
  }
}
