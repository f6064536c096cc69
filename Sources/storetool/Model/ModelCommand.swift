import StoreDiagnostics
import ArgumentParser

/// `storetool model …`: the model in version control, without a store.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", _superCommandName: Storetool.name,
    abstract: "Checks, shows and compares models.",
    discussion: """
      Needs no store: for a model in version control, and for scripts that watch over it.

        storetool model check
        storetool model hash Models/Todo.xcdatamodeld
        storetool model diff Todo 'Todo 2'
      """,
    subcommands: [
      ModelCheckCommand.self, ModelShowCommand.self, ModelHashCommand.self, ModelDiffCommand.self,
      ModelLockCommand.self, ModelCompileCommand.self, ModelDecompileCommand.self,
      ModelMergeCommand.self, ModelRenumberCommand.self, ModelFormatCommand.self,
      ModelDiagramCommand.self, ModelDocsCommand.self,
    ])
}

/// The model of a `model` command: as an argument, because nothing else is in question.
struct ModelArgument: ParsableArguments {
  @Argument(
    help: "The model; the same as --model.", completion: .file())
  var path: FilePath?

  @OptionGroup var options: ModelOptions

  func validate() throws {
    if path != nil && options.model != nil {
      throw ValidationError("name the model once: as an argument or with --model")
    }
  }

  var workspace: Workspace {
    var named = options
    named.model = path ?? options.model
    return Workspace(model: named)
  }
}
