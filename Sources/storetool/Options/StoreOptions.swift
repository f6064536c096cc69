import ArgumentParser

/// Which store, through which model.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The store file.",
      discussion: "Default: $STORETOOL_STORE, then the store in the working directory.",
      valueName: "path"),
    completion: .file())
  var store: String?

  @OptionGroup var model: ModelOptions
}
