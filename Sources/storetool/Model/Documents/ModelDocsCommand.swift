import RecordFormats
import ArgumentParser
import StoreCodegen
import ModelTools
import PredicateSQL
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreModelReader

struct ModelDocsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs",
    abstract: "Write documentation of a model in Markdown.",
    discussion: """
      The page contains a diagram, the entities with their properties, constraints, indexes and user info, the \
      fetch-request templates with their variables and SQL, the composites and the configurations. The same \
      model always produces the same page, so that it can be in version control. With --check, the page isn't \
      written, and the exit status is 1 if the file differs from it.

        storetool model docs Models/Todo.xcdatamodeld
        storetool model docs --output docs/model.md
        storetool model docs --output docs/model.md --check
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file to write. '-' is standard output.", valueName: "file"),
    completion: .file())
  var output: LocalPath = "-"

  @Flag(help: "Compare the file with the page without writing it.")
  var check = false

  @OptionGroup var overwriting: OverwritingOption

  func validate() throws {
    if check && output == "-" {
      throw ValidationError("--check requires --output")
    }
  }

  func run() throws {
    let found = try model.workspace.currentModel()
    let layout = StoreLayout(model: found.model)
    let templates = found.model.templates + found.model.fetchedPropertyTemplates
    let page = ModelPage(
      of: found.model, title: found.bundle.name,
      templates: templates.map { ModelPage.TemplateNote($0, in: layout) })
    let text = GeneratedFile.marked(page.text, as: .markup)
    guard output != "-" else { return try OutputFile.standard.write(text) }
    let file = GeneratedFile(path: output, text: text)
    if check { return try compare(file) }
    try overwriting.write(file)
  }

  private func compare(_ file: GeneratedFile) throws {
    let difference = file.difference
    let state =
      if difference == nil {
        "up to date"
      } else if file.path.kind == nil {
        "missing; to create it, omit --check"
      } else {
        "out of date"
      }
    try FindingWriter(format: .own(.text)).print(
      [difference].compactMap(\.self), summary: "\(file.path): \(state)")
    guard difference == nil else { throw CheckFound() }
  }
}

extension ModelPage.TemplateNote {
  /// Creates the section of a template. For an invalid template, it contains a note about the error.
  fileprivate init(_ template: FetchRequestTemplate, in layout: StoreLayout) {
    do {
      let variables = try template.checked(in: layout.model).variables
      let statement = try TemplateStatement(template.name, in: layout)
      self.init(
        name: template.name, variables: variables, sql: statement.sql,
        parameters: statement.parameters.map(\.text))
    } catch {
      let diagnostics = (error as? any DiagnosableError)?.diagnostics
      let message = diagnostics?.first { $0.severity == .error }?.message
      self.init(name: template.name, variables: [], problem: message ?? "\(error)")
    }
  }
}

extension TemplateStatement.Parameter {
  fileprivate var text: String {
    switch self {
    case .variable(let name): "$\(name)"
    case .constant(let literal): literal
    }
  }
}
