import ArgumentParser

/// Which store, through which model.
struct StoreOptions: ParsableArguments {
  static let storeHelp = ArgumentHelp(
    "The store file.",
    discussion: "Default: $STORETOOL_STORE, then the store in the working directory.",
    valueName: "path")

  @Option(name: .long, help: StoreOptions.storeHelp, completion: .stores)
  var store: String?

  // Those of `ModelOptions`, but no group in a group: each costs the parser as much as ten options.
  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: String?

  @Option(name: .long, help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?
}
