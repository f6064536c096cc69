import ArgumentParser
import ModelTools
import StoreDiagnostics
import StoreModelReader

/// `storetool model renumber`
struct ModelRenumberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renumber",
    abstract: "Makes one of two versions of the same name the next version.",
    discussion: """
      For two branches that have both added OLD. One of them stays OLD: ours, or with --keep theirs the \
      other. NEW is made of it, with the changes of the other side since the version before, by the same \
      merge as 'model merge', and becomes the current version. In the middle of a merge, rebase or \
      cherry-pick both sides are read from Git's index; elsewhere --theirs names the other side's file. \
      Where the changes contradict each other NEW has markers, and the command exits 1. All files are \
      written, or none.

        storetool model renumber 'Todo 3' 'Todo 4'
        storetool model renumber 'Todo 3' 'Todo 4' --theirs ../other/Todo.xcdatamodeld/Todo\\ 3.xcdatamodel
      """)

  @Argument(help: "The version that both sides have added.", completion: .versions)
  var old: String

  @Argument(help: "The version to make.")
  var new: String

  @Option(help: ModelOptions.versionsHelp, completion: .file())
  var model: FilePath?

  @Option(
    help: ArgumentHelp(
      "The other side's OLD: a version's folder or file. Default: the one in Git's index.",
      valueName: "path"),
    completion: .file())
  var theirs: FilePath?

  @Option(
    help: ArgumentHelp(
      "The version that both sides started from, or a path. Default: the one before OLD.",
      valueName: "version"),
    completion: .versionsAndPaths)
  var base: FilePath?

  @Option(help: "Which side stays OLD.")
  var keep = KeptSide.ours

  func run() throws {
    let workspace = Workspace(store: nil, model: model, modelVersion: old)
    let renumbering = try VersionRenumbering(
      old: old, new: new, in: workspace.onlyBundle(), theirs: theirs, base: base, keep: keep)
    let merge = try renumbering.merge()
    try renumbering.write(merge)
    Terminal.err.write(
      """
      \(renumbering.bundle.path): '\(renumbering.oldName)' is \(keep.rawValue); '\(new)' has the other \
      side's changes too, and is current

      """)
    if renumbering.isFromGit {
      Terminal.note(
        "Git takes it as resolved after: git add '\(renumbering.bundle.path)'", code: "merge.add")
    }
    try MergeOutput.report(merge, of: renumbering.newPath, isSameVersion: false)
  }
}

/// The side of a merge that stays as it is.
enum KeptSide: String, ExpressibleByArgument, CaseIterable {
  case ours, theirs
}
