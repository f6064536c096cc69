import ArgumentParser
import ModelTools
import RecordFormats
import StoreCodegen
import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

struct ModelDiagramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw a diagram of a model.",
    discussion: """
      The diagram shows entities, properties, relationships and inheritance. It is either Mermaid, which GitHub \
      and GitLab render in Markdown, or SVG. In SVG, entities have their positions in Xcode's editor if the model \
      contains them. Otherwise they are arranged in columns. --entity limits the diagram to an entity and its \
      neighbors. --depth is the number of relationships, parents and composites to follow from this entity. \
      --changed marks elements that were added (+), changed (~) or removed (-) since another version.

        storetool model diagram Models/Company.xcdatamodeld
        storetool model diagram --entity Order --depth 2 --output docs/order.svg
        storetool model diagram Models/Todo.xcdatamodeld --changed Todo
        storetool model diagram Models/Todo.xcdatamodeld --changed main --format svg
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    help: """
      The format. Default: by the extension of --output, otherwise mermaid.
      """)
  var format: DiagramFormat?

  @Option(
    help: ArgumentHelp(
      "Show only this entity and its neighbors. May be repeated.", valueName: "name"),
    completion: .furtherEntities)
  var entity: [String] = []

  @Option(
    parsing: .unconditional, help: "The distance of the neighbors from --entity. Default: 1.")
  var depth: Int?

  @Option(
    help: ArgumentHelp(
      "The version, path of a model, or revision of Git to compare with.", valueName: "version"),
    completion: .versionsAndPaths)
  var changed: LocalPath?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file to write. '-' is standard output.", valueName: "file"),
    completion: .file())
  var output: LocalPath = "-"

  @OptionGroup var overwriting: OverwritingOption

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth must be 0 or greater") }
    if depth != nil && entity.isEmpty {
      throw ValidationError("--depth requires --entity")
    }
  }

  func run() throws {
    let found = try model.workspace.currentModel()
    let old = try changed.map { try former($0, of: found) }
    let changes = old.map { DiagramChanges(ModelDiff(from: $0.model, to: found.model)) }
    var diagram = ModelDiagram(of: found.model, changes: changes)
    if !entity.isEmpty { diagram = try diagram.around(entity, depth: depth ?? 1) }
    let frames = (old?.frames ?? [:]).merging(found.reading.frames) { $1 }
    let text = text(of: diagram, title: found.version.name, frames)
    guard output != "-" else { return try OutputFile.standard.write(text) }
    try overwriting.write(GeneratedFile(path: output, text: text))
  }

  private func text(
    of diagram: ModelDiagram, title: String, _ frames: [String: EditorFrame]
  ) -> String {
    switch format ?? DiagramFormat(ofFile: output) {
    case .mermaid: GeneratedFile.marked(MermaidDiagram(diagram).text, as: .percent)
    case .svg:
      GeneratedFile.marked(
        PlacedDiagram(diagram, title: title, frames: frames).text, as: .markup)
    }
  }
}

extension ModelDiagramCommand {
  /// Returns the model that `--changed` specifies: a version, the path of a model, or the model's current version in a
  /// revision of Git.
  ///
  /// - Throws: `DiscoveryError`, `GitError`, or an error of reading the model.
  private func former(_ name: LocalPath, of found: FoundModel) throws -> ModelReading {
    do {
      return try model.workspace.model(name).reading
    } catch let error as DiscoveryError {
      guard case .noModelHasVersion = error, let state = try revision(name.argument) else {
        throw error
      }
      let path = try GitRepository().path(fromTop: found.bundle.path, among: state.paths)
      guard let bundle = try state.model(at: path) else {
        throw GitError.noModel(
          found.bundle.path, known: state.models.sorted(), sides: state.description)
      }
      return try bundle.requireCurrentVersion().read()
    }
  }

  /// Returns the state of a revision; nil if it doesn't exist, or without a repository or Git.
  private func revision(_ name: String) throws -> RepositoryState? {
    do {
      let repository = try GitRepository()
      guard try repository.has(name) else { return nil }
      return try RepositoryState(of: name, named: name, in: repository)
    } catch GitError.notARepository, GitError.noGit {
      return nil
    }
  }
}

enum DiagramFormat: String, ExpressibleByArgument, CaseIterable {
  case mermaid, svg

  init(ofFile path: LocalPath) { self = path.hasSuffix(".svg") ? .svg : .mermaid }
}

extension DiagramChanges {
  /// Creates the marks of a diagram from the comparison of two versions.
  init(_ diff: ModelDiff) {
    let names = diff.pairing.entities.map { ($0.source, $0.target) }
    self.init(from: diff.source, entityNames: Dictionary(names) { first, _ in first })
    for change in diff.changes { add(change, diff) }
  }

  private mutating func add(_ change: ModelChange, _ diff: ModelDiff) {
    switch change.kind {
    case .entity(_, .removed(let entity)): remove(.entity(entity))
    case .entity(let name, .added): mark(.entity(name), .added)
    case .entity(let name, _): mark(.entity(name), .changed)
    case .attribute(let name, let entity, let change):
      mark(.entity(entity), .changed)
      switch change {
      case .removed(let attribute): remove(.attribute(attribute, of: entity))
      case .added: mark(.property(name, of: entity), .added)
      default: mark(.property(name, of: entity), .changed)
      }
    case .relationship(let name, let entity, let change):
      mark(.entity(entity), .changed)
      switch change {
      case .removed(let relationship): remove(.relationship(relationship, of: entity))
      case .added: mark(.property(name, of: entity), .added)
      default: mark(.property(name, of: entity), .changed)
      }
    case .fetchedProperty(let name, let entity, let change):
      mark(.entity(entity), .changed)
      guard change == .removed else {
        return mark(.property(name, of: entity), change == .added ? .added : .changed)
      }
      let former = diff.pairing.pair(toTarget: entity)?.source ?? entity
      let fetched = diff.source.entity(named: former)?.fetchedProperties
      if let gone = fetched?.first(where: { $0.name == name }) {
        remove(.fetchedProperty(gone, of: entity))
      }
    case .composite(let name, let change):
      guard change == .removed else {
        return mark(.composite(name), change == .added ? .added : .changed)
      }
      if let gone = diff.source.composite(named: name) { remove(.composite(gone)) }
    // Diagrams don't show these elements.
    case .template, .configuration, .versionIdentifiers: break
    }
  }
}
