import StoreDiagnostics
import StoreModel
import StorePredicate

/// The facts of `templates`: a record for each.
struct TemplateFacts: Encodable {
  let name, entity: String
  let predicate: String?
  let variables: [Variable]
  let limit: Int?
  let fault: String?

  struct Variable: Encodable { let name, type: String }

  static func all(in model: Model) -> Facts {
    let templates = model.templates + model.fetchedPropertyTemplates
    return .records(
      columns: ["name", "entity", "predicate", "variables", "limit", "fault"],
      templates.map { TemplateFacts($0, in: model) })
  }

  init(_ template: FetchRequestTemplate, in model: Model) {
    (name, entity) = (template.name, template.entity)
    predicate = template.predicateText?.text
    variables = Self.variables(of: template, in: model).map {
      Variable(name: $0.name, type: $0.type.description)
    }
    limit = template.limit == 0 ? nil : template.limit
    fault = template.findings(in: model).first?.message
  }

  /// A faulty template has none that could be told.
  private static func variables(
    of template: FetchRequestTemplate, in model: Model
  ) -> [TypedVariable] {
    do {
      return try template.checked(in: model).variables
    } catch {
      return []
    }
  }
}
