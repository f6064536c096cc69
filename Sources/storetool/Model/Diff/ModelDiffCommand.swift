import RecordFormats
import StoreDiagnostics
import ArgumentParser
import StoreMigration
import StoreModelReader

/// `storetool model diff`
struct ModelDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says what has changed between two versions of a model, or two revisions of Git.",
    discussion: """
      With two words, OLD and NEW are versions of the model at hand, or paths of models. With one, it is a \
      revision of Git: that against the work tree, or a range. Then every model of the repository that \
      differs is compared, the version in use on one side with the one on the other, and what has become of \
      other versions is said; paths behind '--' choose models. A rename is one that an \
      elementID tells; where something is gone and something like it is new, that is said. Each \
      change says its effect: 'hash' where stores have to be migrated, 'schema' where a new store \
      has other indexes but Core Data leaves old ones as they are, 'none' where no store differs. 'text' and \
      'markdown' also say what a migration would need, and what it loses.

        storetool model diff Todo 'Todo 2'
        storetool model diff old/Todo.xcdatamodeld Models/Todo.xcdatamodeld --format json
        storetool model diff main
        storetool model diff main..HEAD --format markdown
        storetool model diff HEAD~3 -- Models/App.xcdatamodeld
      """)

  @Argument(
    help: "The version, the path of the model, or the revision, to start from; or a range.",
    completion: .versionsAndPaths)
  var old: FilePath?

  @Argument(
    help: "What came of it. Default: the work tree.", completion: .versionsAndPaths)
  var new: FilePath?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(
      "Behind '--': the models of the repository to compare. Default: all.", valueName: "path"),
    completion: .file())
  var paths: [FilePath] = []

  @Option(name: .long, help: ModelOptions.versionsHelp, completion: .file())
  var model: FilePath?

  @Option(
    name: .long,
    help:
      "How to write the result. Default: table on a terminal, ndjson into a pipe. For a pull request: markdown."
  )
  var format: DiffFormat?

  @OptionGroup var table: TableOptions

  func run() throws {
    let models = try compared()
    switch format ?? .facts(.standard) {
    case .text: try OutputFile.standard.write(DiffText.text(of: models))
    case .markdown: try OutputFile.standard.write(DiffMarkdown.text(of: models))
    case .facts(let format):
      try FactWriter(format, table.style).print(ModelDiffFacts.facts(of: models))
    }
    for model in models { Terminal.err.write("\(model.summary)\n") }
    if models.isEmpty { Terminal.err.write("no model has changed\n") }
  }

  private func compared() throws -> [ComparedModel] {
    let (old, new, paths) = try sides()
    guard let new else { return try compared(RevisionRange(old.argument), paths) }
    let revisions = RevisionRange(from: old.argument, to: new.argument)
    guard paths.isEmpty else { return try compared(revisions, paths) }
    if let comparison = try ToolFiles(old, new).comparison() { return [comparison] }
    do {
      let workspace = Workspace(modelPath: model)
      let sides = (try workspace.model(old), try workspace.model(new))
      return [try ComparedModel(from: .init(sides.0), to: .init(sides.1))]
    } catch let error as DiscoveryError where error.leavesRevisions {
      guard try isRevision(old.argument), try isRevision(new.argument) else { throw error }
      return try compared(revisions, paths)
    }
  }

  /// The words. Two paths after `--` without a word before it are both sides, as `git difftool` passes them: a path may
  /// begin with `-`.
  private func sides() throws -> (old: FilePath, new: FilePath?, paths: [FilePath]) {
    if let old { return (old, new, paths) }
    guard paths.count == 2 else { throw ValidationError("Missing expected argument '<old>'") }
    return (paths[0], paths[1], [])
  }

  /// - Throws: `GitError`, with a word on versions, which take two names.
  private func compared(_ range: RevisionRange, _ paths: [FilePath]) throws -> [ComparedModel] {
    do {
      let comparison = try RevisionComparison(
        of: range, paths: paths + [model].compactMap(\.self))
      Terminal.report(comparison.notes)
      return comparison.models
    } catch let error as GitError where error.isAboutRevision && new == nil {
      throw DiagnosticError(
        error.diagnostics.map {
          $0.helping("one word is a revision of Git; of two versions or paths name both")
        })
    }
  }

  /// Outside of a repository nothing is.
  private func isRevision(_ name: String) throws -> Bool {
    do {
      return try GitRepository().has(name)
    } catch GitError.notARepository, GitError.noGit {
      return false
    }
  }
}

extension GitError {
  fileprivate var isAboutRevision: Bool {
    switch self {
    case .notARepository, .unknownRevision: true
    case .noGit, .noWorkTree, .noModel, .outside, .unreadable, .unwritable, .linkedAttributes,
      .failed:
      false
    }
  }
}

extension DiscoveryError {
  /// Whether words that name no version may name revisions.
  fileprivate var leavesRevisions: Bool {
    switch self {
    case .noModel, .noModelHasVersion: true
    case .noStore, .noStoreIn, .storeForName, .severalModels, .severalStores, .severalModelsFit,
      .noStoreHas,
      .severalStoresHave:
      false
    }
  }
}
