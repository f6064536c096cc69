import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreMigration
import StoreModelReader

struct ModelDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show the changes between two versions of a model, or two Git revisions.",
    usage: "storetool model diff [<options>] <old> [<new>] [-- <path> ...]",
    discussion: """
      With two arguments, OLD and NEW are versions of the model, paths of models, or Git revisions. With one argument, \
      OLD is a Git revision, which is compared with the work tree, or a range of revisions. With revisions, the \
      command compares each model of the repository that differs. For each model, it first compares the versions that \
      are current in the two revisions, and then other model versions that have changed. Paths after '--' select \
      models. An element counts as renamed only if it has an elementID. If a removed element resembles an added one, \
      the result mentions it. In records, the effect of a change is 'hash' if stores must be migrated, 'schema' if new \
      stores have other indexes but Core Data doesn't change existing stores, and 'none' if stores don't differ. \
      --format text and --format markdown also list what a migration requires, and which values it drops.

        storetool model diff Todo 'Todo 2'
        storetool model diff old/Todo.xcdatamodeld Models/Todo.xcdatamodeld --format json
        storetool model diff main
        storetool model diff main..HEAD --format markdown
        storetool model diff HEAD~3 -- Models/App.xcdatamodeld
      """)

  @Argument(
    help: "The old version, path of a model or revision, or a range of revisions.",
    completion: .versionsAndPaths)
  var old: LocalPath?

  @Argument(
    help: "The new version, path or revision. Default: the work tree.",
    completion: .versionsAndPaths)
  var new: LocalPath?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(
      "After '--': the models of the repository to compare. Default: all models.", valueName: "path"
    ),
    completion: .file())
  var paths: [LocalPath] = []

  @Option(help: ModelOptions.versionsHelp, completion: .file())
  var model: LocalPath?

  @Option(
    help:
      "The output format; markdown suits a comment in a pull request. Default: table on a terminal, otherwise ndjson."
  )
  var format: CommandFormat<DiffFormat>?

  @OptionGroup var table: TableOptions

  func validate() throws {
    if old == nil, paths.count != 2 {
      throw ValidationError("Missing expected argument '<old>'")
    }
  }

  func run() throws {
    let models = try compared()
    switch format ?? .facts(.standard) {
    case .own(.text): try OutputFile.standard.write(DiffText.text(of: models))
    case .own(.markdown): try OutputFile.standard.write(DiffMarkdown.text(of: models))
    case .facts(let format):
      try FactWriter(format, table.style).print(ModelDiffFacts.facts(of: models))
    }
    for model in models { Terminal.err.write("\(model.summary)\n") }
    if models.isEmpty { Terminal.err.write("no models have changed\n") }
  }

  private func compared() throws -> [ComparedModel] {
    let (old, new, paths) = try sides()
    guard let new else { return try compared(RevisionRange(old.argument), paths) }
    let revisions = RevisionRange(from: old.argument, to: new.argument)
    guard paths.isEmpty else { return try compared(revisions, paths) }
    if let comparison = try ToolFiles(old: old, new: new).comparison() { return [comparison] }
    do {
      let workspace = Workspace(modelPath: model)
      let sides = (try workspace.model(old), try workspace.model(new))
      return [try ComparedModel(from: .init(sides.0), to: .init(sides.1))]
    } catch let error as DiscoveryError where error.leavesRevisions {
      guard try isRevision(old.argument), try isRevision(new.argument) else { throw error }
      return try compared(revisions, paths)
    }
  }

  /// Returns the values of `old`, `new` and `paths`. If there are two paths after `--` and no arguments before it, they
  /// are `old` and `new`: `git difftool` passes them in this way, because a path may begin with `-`.
  private func sides() throws -> (old: LocalPath, new: LocalPath?, paths: [LocalPath]) {
    if let old { return (old, new, paths) }
    return (paths[0], paths[1], [])
  }

  /// - Throws: `GitError`, or `DiagnosticError` with a hint about comparing versions.
  private func compared(_ range: RevisionRange, _ paths: [LocalPath]) throws -> [ComparedModel] {
    do {
      let comparison = try RevisionComparison(
        of: range, paths: paths + [model].compactMap(\.self))
      Terminal.report(comparison.notes)
      return comparison.models
    } catch let error as GitError where error.isAboutRevision && new == nil {
      throw DiagnosticError(
        error.diagnostics.map {
          $0.helping(
            "a single argument is a Git revision; to compare two versions or paths, specify both")
        })
    }
  }

  /// Returns whether a name is a revision; false without a repository or Git.
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
  /// Whether the arguments may be revisions, because they are neither versions nor paths of models.
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

/// A comparison as text for a terminal.
struct DiffText {
  static func text(of models: [ComparedModel]) -> String {
    models.map(page).joined(separator: "\n")
  }

  private static func page(of model: ComparedModel) -> String {
    let title = model.title(model.path.map { "\($0)" }) { "'\($0)'" }
    return title + "\n" + model.sections.map(text).joined()
  }

  private static func text(of section: DiffSection) -> String {
    var text = "\n\(section.title)\n"
    if let introduction = section.introduction { text += "  \(introduction)\n" }
    let width = section.lines.compactMap(\.subject?.count).max() ?? 0
    for line in section.lines {
      let subject = line.subject.map {
        $0 + String(repeating: " ", count: width - $0.count + 2)
      }
      let effect = line.effect.map { "  (\($0))" } ?? ""
      text += "  \(subject ?? "")\(line.text)\(effect)\n"
    }
    return text
  }
}

/// A comparison as Markdown for the comment of a pull request.
struct DiffMarkdown {
  /// - Parameter models: The compared models; empty if nothing has changed.
  static func text(of models: [ComparedModel]) -> String {
    guard !models.isEmpty else { return "No models have changed.\n" }
    return models.map(page).joined(separator: "\n")
  }

  private static func page(of model: ComparedModel) -> String {
    let title = model.title(model.path.map { code("\($0)") }, code)
    return "### \(title)\n" + model.sections.map(text).joined()
  }

  private static func text(of section: DiffSection) -> String {
    var text = "\n**\(section.title)**\n\n"
    if let introduction = section.introduction { text += "\(escaped(introduction))\n" }
    guard !section.lines.isEmpty else { return text }
    if section.introduction != nil { text += "\n" }
    guard section.lines.contains(where: { $0.effect != nil }) else {
      return text + section.lines.map { "- \(line($0))\n" }.joined()
    }
    text += "| | change | stores |\n|---|---|---|\n"
    for line in section.lines {
      let subject = line.subject.map(code) ?? ""
      let cells = [subject, escaped(line.text), line.effect ?? ""]
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func line(_ line: DiffSection.Line) -> String {
    line.subject.map { "\(code($0)): \(escaped(line.text))" } ?? escaped(line.text)
  }

  /// Returns a name as Markdown code. A name with a grave accent is enclosed in two grave accents. Vertical bars are
  /// escaped, because they would end the cell of a table.
  private static func code(_ name: String) -> String {
    let text = oneLine(name).replacing("|", with: "\\|")
    return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  private static func escaped(_ text: String) -> String {
    oneLine(text).map { "\\`*_{}[]<>#|~".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func oneLine(_ text: String) -> String {
    text.replacing("\n", with: " ").replacing("\r", with: " ")
  }
}

/// Two files that Git passes to a diff tool. For a missing file, Git passes `/dev/null`. Git also passes the file
/// `.xccurrentversion` of a bundle, which contains the name of the current version.
struct ToolFiles {
  let old: LocalPath
  let new: LocalPath

  private static let nothing: LocalPath = "/dev/null"
  private static let declaration = ".xccurrentversion"

  /// Returns the comparison; nil if both files must be read as models.
  ///
  /// - Throws: An error of reading a model, or `DiagnosticError` for an unreadable declaration.
  func comparison() throws -> ComparedModel? {
    guard ![old, new].contains(where: { $0.hasSuffix(Self.declaration) }) else {
      return try ComparedModel(
        path: LocalPath(Self.declaration), from: nil, to: nil, versions: [currentVersion()])
    }
    if old == Self.nothing {
      return try ComparedModel(from: nil, to: side(new), versions: [.modelAdded], listsAll: true)
    }
    if new == Self.nothing {
      return try ComparedModel(from: side(old), to: nil, versions: [.modelRemoved], listsAll: true)
    }
    return nil
  }

  private func side(_ path: LocalPath) throws -> ComparedModel.Side {
    .init(try Workspace(modelPath: path).currentModel())
  }

  private func currentVersion() throws -> VersionChange {
    switch (try name(in: old), try name(in: new)) {
    case (let old?, let new?): .current(from: old, to: new)
    case (nil, let new?): .declared(new)
    case (let old?, nil): .undeclared(old)
    case (nil, nil): .undeclared("")
    }
  }

  /// Returns the declared version without the extension of its folder; nil for `/dev/null`, or if the declaration
  /// doesn't specify a version.
  private func name(in path: LocalPath) throws -> String? {
    guard path != Self.nothing else { return nil }
    let bytes = try GivenFile.bytes(of: path)
    do {
      let name = try ModelBundle.currentVersion(declaredIn: bytes)
      return name.map { $0.hasSuffix(".xcdatamodel") ? String($0.dropLast(12)) : $0 }
    } catch {
      throw DiagnosticError(
        "model.current-version", "'\(path)' doesn't specify a version",
        help: ["it requires a property list with a name for the key _XCCurrentVersionName"])
    }
  }
}
