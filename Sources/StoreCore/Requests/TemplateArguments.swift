import StoreDiagnostics
package import StoreModel
package import StorePredicate

/// The values of a template's variables in the user's notation, such as `NAME=Ray` or `IDS:={1, 2, 3}`.
///
///     let arguments = try TemplateArguments(["NAME=Ray"])
///     let request = try arguments.request(forTemplate: "peopleFR", in: model) { … }
package struct TemplateArguments: Sendable {
  /// The arguments in the user's order.
  package let arguments: [Assignment]

  /// - Throws: `AssignmentError`
  package init(_ texts: [String]) throws(AssignmentError) {
    arguments = try Assignment.list(texts)
  }

  /// A function that returns the only row of an entity that matches a predicate, as in `LIST:=(title == "Home")`.
  package typealias RowLookup = (_ entity: String, CheckedPredicate) throws -> ObjectID

  /// Returns the template's request with values for all variables.
  ///
  /// - Throws: `TemplateArgumentError`; the errors of the template; `DiagnosticError` or `CheckErrors` for an invalid
  ///   expression; an error of `row`.
  package func request(
    forTemplate name: String, in model: DataModel, row: RowLookup
  ) throws -> StoreFetchRequest {
    let template = try model.requireTemplate(named: name)
    let checked = try template.checked(in: model)
    let variables = checked.variables
    try checked.requireAll(arguments.map(\.name), of: name)
    var bindings: [String: FormatExpression] = [:]
    for argument in arguments {
      let name = argument.name
      guard let type = variables.first(where: { $0.name == name })?.type else { continue }
      bindings[name] = try value(of: argument.value, for: name, type, template, model, row)
    }
    return StoreFetchRequest(template, checked, bindings)
  }

  private func value(
    of argument: Assignment.Value, for variable: String, _ type: ValueType,
    _ template: FetchRequestTemplate, _ model: DataModel, _ row: RowLookup
  ) throws -> FormatExpression {
    switch argument {
    case .literal(let text): return try Self.literal(text, for: variable, type, model)
    case .expression(let text):
      if case .object(let entity) = type, let described = RowDescription(text) {
        return .value(.objectID(try row(entity, described.predicate(of: entity, in: model))))
      }
      // The expression may use properties of the template's entity.
      let expression = try text.expression()
      do throws(CheckErrors) {
        return try PredicateChecker(model: model, entity: template.entity)
          .check(expression, as: type, in: text).expression
      } catch {
        guard case .attribute(let attribute) = type else { throw error }
        throw error.ofAssignment(to: variable, as: attribute, expression)
      }
    }
  }

  /// Returns the value of `NAME=text`.
  private static func literal(
    _ text: String, for variable: String, _ type: ValueType, _ model: DataModel
  ) throws -> FormatExpression {
    switch type {
    case .any: return .value(.string(text))
    case .attribute(let type):
      do {
        return .value(try ValueText.value(of: text, as: type))
      } catch {
        throw TemplateArgumentError.wrongValue(text, variable: variable, expected: .attribute(type))
      }
    case .object, .entity, .collection:
      if text == "null" { return .value(.null) }
      guard !type.isCollection else {
        throw TemplateArgumentError.needsList(text, variable: variable, expected: type)
      }
      let checker = PredicateChecker(model: model, entity: model.entities.first?.name ?? "")
      do {
        return try checker.check(.value(.string(text)), as: type).expression
      } catch {
        throw TemplateArgumentError.wrongValue(text, variable: variable, expected: type)
      }
    }
  }
}
