import StoreDiagnostics
import ArgumentParser
import StoreMigration
import StoreModelReader

/// `storetool model diff`
struct ModelDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says what has changed between two versions of a model.",
    discussion: """
      OLD and NEW are versions of the model at hand, or paths of models. A rename is one that an \
      elementID tells; where something is gone and something like it is new, that is said. Each \
      change says its effect: 'hash' where stores have to be migrated, 'schema' where a new store \
      has other indexes but Core Data leaves old ones as they are, 'none' where no store differs.

        storetool model diff Todo 'Todo 2'
        storetool model diff old/Todo.xcdatamodeld Models/Todo.xcdatamodeld --format json
        git difftool --no-prompt --extcmd 'storetool model diff' main -- Models
      """)

  @Argument(help: "The version, or the path of the model, to start from.", completion: .file())
  var old: String

  @Argument(help: "The version, or the path of the model, that came of it.", completion: .file())
  var new: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The model that the versions are of.",
      discussion: "Default: $STORETOOL_MODEL, then Models/ in the working directory.",
      valueName: "path"),
    completion: .file())
  var model: String?

  @OptionGroup var format: FormatOptions

  func run() throws {
    let workspace = Workspace(modelPath: model)
    let (old, new) = (try workspace.model(old), try workspace.model(new))
    let diff = ModelDiff(from: old.model, to: new.model)
    try FactWriter(format).print(ModelDiffFacts.facts(of: diff, in: new.reading))
    Terminal.err.write("\(diff.summary(from: old.version.name, to: new.version.name))\n")
  }
}

extension ModelDiff {
  /// One line, for people.
  fileprivate func summary(from old: String, to new: String) -> String {
    let count = "\(changes.count) \("change".plural(changes.count))"
    let consequence =
      changes.contains { $0.effect == .hash }
      ? "stores have to be migrated"
      : "the version hashes are equal, no store is migrated"
    return "'\(old)' → '\(new)': \(count); \(consequence)"
  }
}
