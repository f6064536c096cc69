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
