import StoreModel
import StorePredicate

/// A template that fits its model, before any style has written it.
struct CheckedTemplate {
  var template: FetchRequestTemplate
  var predicate: CheckedPredicate
  var parameters: [TemplateParameter]

  /// - Throws: what is wrong with the template.
  init(_ template: FetchRequestTemplate, in model: Model) throws {
    let checked = try template.checked(in: model)
    var pool = NamePool()
    self.template = template
    predicate = checked
    parameters = checked.variables.map { variable in
      let isSource = template.source != nil && variable.name == FetchSource.objectVariable
      return TemplateParameter(
        variable: variable, label: isSource ? "of" : nil,
        name: pool.take(isSource ? "source" : SwiftName.variable(variable.name)))
    }
  }
}

/// A variable of a template, and the parameter that fills it.
struct TemplateParameter {
  var variable: TypedVariable
  var label: String?
  var name: String

  /// The name, as code mentions it.
  var written: String { SwiftName.escaped(name) }
}
