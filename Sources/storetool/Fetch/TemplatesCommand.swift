import ArgumentParser
import StoreDiagnostics
import StoreModel
import StorePredicate

struct TemplatesCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates", _superCommandName: Storetool.name,
    abstract: "List the model's fetch-request templates and their variables.",
    discussion: """
      Fetched properties are listed after the templates, as Entity.property.

        storetool templates
        storetool templates --model Models/People.xcdatamodeld --format json
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    let model = try Workspace(options.naming(path), closest: closest).modelOfStore().model
    try FactWriter(format).print(TemplateFacts.all(in: model))
  }
}

/// A record in the output of `templates`: a fetch-request template or a fetched property.
struct TemplateFacts: Encodable {
  let name, entity: String
  let predicate: String?
  let variables: [Variable]
  let limit: Int?
  let fault: String?

  struct Variable: Encodable { let name, type: String }

  static func all(in model: DataModel) -> Facts {
    let templates = model.templates + model.fetchedPropertyTemplates
    return .records(
      columns: ["name", "entity", "predicate", "variables", "limit", "fault"],
      templates.map { TemplateFacts($0, in: model) })
  }

  init(_ template: FetchRequestTemplate, in model: DataModel) {
    (name, entity) = (template.name, template.entity)
    predicate = template.predicateText?.text
    variables = Self.variables(of: template, in: model).map {
      Variable(name: $0.name, type: $0.type.description)
    }
    limit = template.limit == 0 ? nil : template.limit
    fault = template.findings(in: model).first?.message
  }

  /// Returns the variables of a template; empty if the template is invalid.
  private static func variables(
    of template: FetchRequestTemplate, in model: DataModel
  ) -> [TypedVariable] {
    do {
      return try template.checked(in: model).variables
    } catch {
      return []
    }
  }
}
