import StoreDiagnostics
public import StorePredicate

extension FetchRequestTemplate {
  /// The predicate, checked against the model that the template belongs to; TRUEPREDICATE where it has
  /// none. `$FETCH_SOURCE` is among its variables where it needs one.
  ///
  /// - Throws: the template's faults as `DiagnosticError`; `CheckErrors`.
  public func checked(in model: Model) throws -> CheckedPredicate {
    guard faults.isEmpty else { throw DiagnosticError(faults) }
    let predicate = predicate ?? .constant(true)
    let checker = PredicateChecker(model: model, entity: entity, source: source)
    var checked = try checker.check(predicate, in: predicateText)
    let variable = FetchSource.objectVariable
    if let source, predicate.variables.contains(variable) {
      checked.variables.insert(
        TypedVariable(name: variable, type: .object(source.entity)), at: 0)
    }
    return checked
  }
}

extension StoreFetchRequest {
  /// What a fetched property of an object asks for.
  ///
  ///     let request = try StoreFetchRequest(fetchedProperty: "colleagues", of: ann, in: model)
  ///
  /// Its predicate holds the object's ID. In memory an evaluator that finds objects by their IDs
  /// answers it too.
  ///
  /// - Throws: `ModelLookupError` where the object's entity has no such property; the faults of its
  ///   request as `DiagnosticError`, what does not fit the model as `CheckErrors`.
  public init(fetchedProperty name: String, of object: ObjectID, in model: Model) throws {
    let entity = try model.requireEntity(named: object.entity)
    let template = try model.requireTemplate(named: "\(entity.name).\(name)")
    let source = [FetchSource.objectVariable: FormatExpression.value(.objectID(object))]
    let predicate = try template.checked(in: model).predicate.substituting(source)
    self.init(template, predicate: template.predicate == nil ? nil : predicate)
  }
}
