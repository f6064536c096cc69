import StoreDiagnostics
import ArgumentParser

/// Which model, and which version of it.
struct ModelOptions: ParsableArguments {
  static let modelHelp = ArgumentHelp(
    """
    An .xcdatamodeld, an .xcdatamodel, a contents file or a model .xml; a compiled .momd or .mom; an \
    app's folder or another with some; or a store.
    """,
    discussion: "Default: $STORETOOL_MODEL, then Models/ in the working directory.",
    valueName: "path")
  /// Where versions of it are named.
  static let versionsHelp = ArgumentHelp(
    "The model that the versions are of.",
    discussion: "Default: $STORETOOL_MODEL, then Models/ in the working directory.",
    valueName: "path")
  static let versionHelp = ArgumentHelp(
    "The model version by name. Default: the one that the store was written with.",
    valueName: "version")

  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  @Option(name: .long, help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?
}
