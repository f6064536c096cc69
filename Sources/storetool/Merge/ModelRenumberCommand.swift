import ArgumentParser
import ModelTools
import StoreDiagnostics
import StoreModelReader

struct ModelRenumberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renumber",
    abstract: "Merge two versions that branches have added under the same name into a new one.",
    discussion: """
      Use this command if two branches have both added a version with the name OLD. The version of one side keeps this \
      name: ours, or theirs with --keep theirs. NEW is a new version with the changes of both sides since the common \
      ancestor, merged as by 'model merge'. NEW becomes the current version. During a merge, rebase or cherry-pick, \
      both sides are read from Git's index. Otherwise --theirs specifies the file of the other side. If changes \
      conflict, NEW contains conflict markers and the exit status is 1. Either all files are written or none.

        storetool model renumber 'Todo 3' 'Todo 4'
        storetool model renumber 'Todo 3' 'Todo 4' --theirs ../other/Todo.xcdatamodeld/Todo\\ 3.xcdatamodel
      """)

  @Argument(help: "The version that both sides have added.", completion: .versions)
  var old: String

  @Argument(help: "The version to create.")
  var new: String

  @Option(help: ModelOptions.versionsHelp, completion: .file())
  var model: LocalPath?

  @Option(
    help: ArgumentHelp(
      "The other side's version OLD: a folder or file. Default: the version in Git's index.",
      valueName: "path"),
    completion: .file())
  var theirs: LocalPath?

  @Option(
    help: ArgumentHelp(
      "The common ancestor: a version or a path. Default: the base in Git's index, then the version before OLD.",
      valueName: "version"),
    completion: .versionsAndPaths)
  var base: LocalPath?

  @Option(help: "The side whose version keeps the name OLD.")
  var keep = KeptSide.ours

  func run() throws {
    let workspace = Workspace(modelPath: model, modelVersion: old)
    let renumbering = try VersionRenumbering(
      old: old, new: new, in: workspace.onlyBundle(), theirs: theirs, base: base, keep: keep)
    let merge = try renumbering.merge()
    try renumbering.write(merge)
    Terminal.err.write(
      """
      \(renumbering.bundle.path): '\(renumbering.oldName)' is \(keep.rawValue); '\(new)' also contains the \
      changes of the other side, and is the current version

      """)
    defer {
      if renumbering.isFromGit {
        let action =
          merge.conflicts.isEmpty
          ? "to mark the conflict as resolved" : "resolve the conflicts in '\(new)', then"
        Terminal.note("\(action): git add '\(renumbering.bundle.path)'", code: "merge.add")
      }
    }
    try MergeOutput.report(
      merge, of: renumbering.newPath, writtenTo: "\(renumbering.newPath)", isSameVersion: false)
  }
}

/// The side of a merge whose version keeps its name.
enum KeptSide: String, ExpressibleByArgument, CaseIterable {
  case ours, theirs
}
