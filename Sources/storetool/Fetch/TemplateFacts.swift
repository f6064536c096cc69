import RecordFormats
import StoreDiagnostics
import StoreModel
import StorePredicate

/// The facts of `templates`.
enum TemplateFacts {
  static let columns = ["name", "entity", "predicate", "variables", "limit", "fault"]

  static func all(in model: Model) -> Facts {
    let templates = model.templates + model.fetchedPropertyTemplates
    return .records(columns: columns, templates.map { facts(of: $0, in: model) })
  }

  static func facts(of template: FetchRequestTemplate, in model: Model) -> JSONValue {
    var object = FactObject()
    object.add("name", template.name)
    object.add("entity", template.entity)
    object.add("predicate", template.predicateText?.text)
    object.add("variables", variables(of: template, in: model).map(facts))
    object.add("limit", template.limit == 0 ? nil : template.limit)
    object.add("fault", template.findings(in: model).first?.message)
    return object.value
  }

  private static func facts(of variable: TypedVariable) -> FactObject {
    var object = FactObject()
    object.add("name", variable.name)
    object.add("type", variable.type.description)
    return object
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
