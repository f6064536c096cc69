public import StoreDiagnostics
public import StorePredicate

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StoreFetchRequest {
  /// Creates a request for all rows of an entity.
  ///
  ///     var request = StoreFetchRequest(try model.requireEntity(named: "Product"))
  ///
  /// - Parameter entity: The entity to fetch.
  public init(_ entity: EntityDescription) {
    self.init(entity: entity.name)
  }
}

extension DataModel {
  /// Returns the request of a template without variables.
  ///
  /// - Parameter name: The name of the template.
  /// - Returns: The request.
  /// - Throws: `ModelLookupError` if the template doesn't exist, `TemplateArgumentError` if it has variables,
  ///   `DiagnosticError` if it can't be used, or `CheckErrors` if it doesn't fit the model.
  public func fetchRequest(fromTemplate name: String) throws -> StoreFetchRequest {
    try fetchRequest(fromTemplate: name, substituting: [String: FormatExpression]())
  }

  /// Returns the request of a template with values for its variables.
  ///
  ///     let request = try model.fetchRequest(
  ///       fromTemplate: "productsFromCountry", substituting: ["COUNTRY": .string("Japan")])
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - values: A value for each variable. A string is converted to the type that its variable is compared with, such
  ///     as a date, a UUID or an object ID.
  /// - Returns: The request.
  /// - Throws: `ModelLookupError` if the template doesn't exist, `TemplateArgumentError` if a variable is missing or
  ///   unknown, `CheckErrors` if a value doesn't have the type of its variable, or `DiagnosticError` if the template
  ///   can't be used.
  public func fetchRequest(
    fromTemplate name: String, substituting values: [String: DataValue]
  ) throws -> StoreFetchRequest {
    try fetchRequest(
      fromTemplate: name, substituting: values.mapValues { FormatExpression.value($0) })
  }

  /// Returns the request of a template with expressions for its variables, such as the list
  /// `FormatExpression(.list([.value(.string("Japan")), …]))`.
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - expressions: An expression for each variable. A string is converted to the type that its variable is compared
  ///     with.
  /// - Returns: The request.
  /// - Throws: `ModelLookupError` if the template doesn't exist, `TemplateArgumentError` if a variable is missing or
  ///   unknown, `CheckErrors` if an expression doesn't have the type of its variable, or `DiagnosticError` if the
  ///   template can't be used.
  public func fetchRequest(
    fromTemplate name: String, substituting expressions: [String: FormatExpression]
  ) throws -> StoreFetchRequest {
    let template = try requireTemplate(named: name)
    let checked = try template.checked(in: self)
    try checked.requireAll(expressions.keys.sorted(), of: name)
    let checker = PredicateChecker(model: self, entity: template.entity)
    var bindings: [String: FormatExpression] = [:]
    for variable in checked.variables {
      guard let expression = expressions[variable.name] else { continue }
      bindings[variable.name] = try checker.check(expression, as: variable.type).expression
    }
    return StoreFetchRequest(template, checked, bindings)
  }
}

extension StoreFetchRequest {
  /// Creates the request of a template with values for its variables.
  ///
  /// - Parameters:
  ///   - checked: The predicate of the template.
  ///   - bindings: The values of its variables.
  package init(
    _ template: FetchRequestTemplate, _ checked: CheckedPredicate,
    _ bindings: [String: FormatExpression]
  ) {
    let predicate = template.predicate == nil ? nil : checked.predicate.substituting(bindings)
    self.init(template, predicate: predicate)
  }
}

extension CheckedPredicate {
  /// Checks that each variable of the predicate has a value, and that no other names have values.
  ///
  /// - Throws: `TemplateArgumentError` for an unknown name, or for the variables without a value.
  package func requireAll(_ names: [String], of template: String) throws(TemplateArgumentError) {
    let known = variables.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw .unknownVariable(unknown, template: template, known: known)
    }
    let missing = variables.filter { !names.contains($0.name) }
    guard missing.isEmpty else { throw .missing(missing, template: template) }
  }
}

/// A reason why a template can't be used with the values of its variables.
public enum TemplateArgumentError: Error, Hashable {
  /// A value was passed for a variable that the template doesn't have. The template's variables are `known`.
  case unknownVariable(String, template: String, known: [String])
  /// Variables of the template don't have values.
  case missing([TypedVariable], template: String)
  /// A text isn't a value of the type that its variable is compared with.
  case wrongValue(String, variable: String, expected: ValueType)
  /// A text was passed for a variable that requires a list.
  case needsList(String, variable: String, expected: ValueType)
}

extension TemplateArgumentError: DiagnosableError {
  public var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownVariable(let name, let template, let known):
      DiagnosticMessage(
        .error, "template.unknown-variable", "'\(template)' has no variable '\(name)'",
        cause: .notFound, help: known.isEmpty ? ["the template has no variables"] : []
      ).didYouMean(name, among: known, elseListing: "its variables are")
    case .missing(let variables, let template):
      DiagnosticMessage(
        .error, "template.missing-variable",
        "'\(template)' requires a value for \(Self.quoted(variables.map(\.name)))", cause: .usage
      ).helping("add \(variables.map(Self.example).joined(separator: " "))")
    case .wrongValue(let text, let variable, let expected):
      Self.wrongValue(text, variable, expected).helping(withForm: expected.form)
    case .needsList(let text, let variable, let expected):
      Self.wrongValue(text, variable, expected).helping("write '\(variable):={…, …}'")
    }
  }

  private static func wrongValue(
    _ text: String, _ variable: String, _ expected: ValueType
  ) -> DiagnosticMessage {
    DiagnosticMessage(
      .error, "template.wrong-value",
      "'\(variable)' takes \("\(expected)".withArticle), not '\(text)'")
  }

  private static func quoted(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// Returns an example of an argument for a variable: `NAME=<String>`, `'IDS:={…}'` for a list, or
  /// `OWNER=<object ID, such as Person/p7>` for an object.
  private static func example(_ variable: TypedVariable) -> String {
    switch variable.type {
    case .collection: "'\(variable.name):={…}'"
    case .object(let entity): "\(variable.name)=<object ID, such as \(entity)/p7>"
    default: "\(variable.name)=<\(variable.type)>"
    }
  }
}

extension TemplateArgumentError: LocalizedError {}
