public import StoreDiagnostics
public import StorePredicate

extension StoreFetchRequest {
  /// Every row of an entity: what an `NSFetchRequest` with an entity description asks for.
  ///
  ///     var request = StoreFetchRequest(try model.requireEntity(named: "Product"))
  public init(_ entity: Entity) {
    self.init(entity: entity.name)
  }
}

extension Model {
  /// What a template asks for that has no variables.
  ///
  /// - Throws: `ModelLookupError` for a name that the model does not have, `TemplateArgumentError` for a
  ///   template with variables; the template's own faults as `DiagnosticError`, what does not fit the
  ///   model as `CheckErrors`.
  public func fetchRequest(fromTemplate name: String) throws -> StoreFetchRequest {
    try fetchRequest(fromTemplate: name, substituting: [String: FormatExpression]())
  }

  /// What a template asks for with values for its variables.
  ///
  ///     let request = try model.fetchRequest(
  ///       fromTemplate: "productsFromCountry", substituting: ["COUNTRY": .string("Japan")])
  ///
  /// - Parameters:
  ///   - name: the name of the template.
  ///   - values: one for each variable. Text becomes what its variable is compared with: a date,
  ///     a UUID, an object ID.
  /// - Throws: `ModelLookupError` for a name that the model does not have; `TemplateArgumentError` for
  ///   variables that are missing or unknown; `CheckErrors` for a value of another type than its variable's;
  ///   the template's own faults as `DiagnosticError`.
  public func fetchRequest(
    fromTemplate name: String, substituting values: [String: Value]
  ) throws -> StoreFetchRequest {
    try fetchRequest(
      fromTemplate: name, substituting: values.mapValues { FormatExpression.value($0) })
  }

  /// The same with expressions, as a list: `FormatExpression(.list([.value(.string("Japan")), …]))`.
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
  /// - Parameters:
  ///   - checked: the template's predicate.
  ///   - bindings: what its variables stand for.
  package init(
    _ template: FetchRequestTemplate, _ checked: CheckedPredicate,
    _ bindings: [String: FormatExpression]
  ) {
    let predicate = template.predicate == nil ? nil : checked.predicate.substituting(bindings)
    self.init(template, predicate: predicate)
  }
}

extension CheckedPredicate {
  /// - Throws: `TemplateArgumentError` unless the names are just those of the variables.
  package func requireAll(_ names: [String], of template: String) throws(TemplateArgumentError) {
    let known = variables.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw .unknownVariable(unknown, template: template, known: known)
    }
    let missing = variables.filter { !names.contains($0.name) }
    guard missing.isEmpty else { throw .missing(missing, template: template) }
  }
}

/// Why a template can't be run with the values that were given for its variables.
public enum TemplateArgumentError: Error, Hashable {
  case unknownVariable(String, template: String, known: [String])
  case missing([TypedVariable], template: String)
  case wrongValue(String, variable: String, expected: ValueType)
  case needsList(String, variable: String, expected: ValueType)
}

extension TemplateArgumentError: DiagnosableError {
  public var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unknownVariable(let name, let template, let known):
      Diagnostic(
        .error, "template.unknown-variable", "'\(template)' has no variable '\(name)'",
        cause: .notFound
      ).didYouMean(name, among: known).helping(Self.listing(known))
    case .missing(let variables, let template):
      Diagnostic(
        .error, "template.missing-variable",
        "'\(template)' needs a value for \(Self.quoted(variables.map(\.name)))", cause: .usage
      ).helping("add \(variables.map(Self.example).joined(separator: " "))")
    case .wrongValue(let text, let variable, let expected):
      Self.hinting(
        Diagnostic(
          .error, "template.wrong-value",
          "'\(text)' is not \("\(expected)".withArticle) for '\(variable)'"),
        expected)
    case .needsList(let text, let variable, let expected):
      Diagnostic(
        .error, "template.wrong-value",
        "'\(text)' is not \("\(expected)".withArticle) for '\(variable)'"
      ).helping("write \(variable):={…, …}")
    }
  }

  private static func listing(_ variables: [String]) -> String {
    variables.isEmpty ? "it has none" : "it has \(quoted(variables))"
  }

  private static func quoted(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// `NAME=<String>`, `IDS:={…}`
  private static func example(_ variable: TypedVariable) -> String {
    variable.type.isCollection ? "\(variable.name):={…}" : "\(variable.name)=<\(variable.type)>"
  }

  private static func hinting(_ diagnostic: Diagnostic, _ expected: ValueType) -> Diagnostic {
    expected.form.map { diagnostic.helping("write it as \($0)") } ?? diagnostic
  }
}
