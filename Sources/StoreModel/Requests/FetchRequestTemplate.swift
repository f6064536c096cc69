public import StoreDiagnostics
public import StorePredicate

/// A fetch request that the model names, with variables to be filled in.
public struct FetchRequestTemplate: Hashable, Sendable {
  public enum ResultType: Int, Hashable, Sendable {
    case objects = 0
    case objectIDs = 1
    case dictionaries = 2
    case count = 4
  }

  public var name: String
  public var entity: String
  /// What the XML says; nil fetches everything.
  public var predicateText: PredicateText?
  /// The parsed text; nil when there is none, or when it has `faults`.
  public var predicate: FormatPredicate?
  /// Why the template can't be used. Only a command that uses it stops; `model check` lists them.
  public var faults: [Diagnostic]
  /// 0 is not a limit.
  public var limit: Int
  public var batchSize: Int
  public var includesSubentities: Bool
  public var includesPropertyValues: Bool
  public var returnsObjectsAsFaults: Bool
  public var returnsDistinctResults: Bool
  public var includesPendingChanges: Bool
  public var resultType: ResultType
  /// Where it is the request of a fetched property; nil for a template of the model.
  public var source: FetchSource?

  public init(
    name: String, entity: String, predicateText: PredicateText? = nil,
    predicate: FormatPredicate? = nil, faults: [Diagnostic] = [], limit: Int = 0,
    batchSize: Int = 0,
    includesSubentities: Bool = true, includesPropertyValues: Bool = true,
    returnsObjectsAsFaults: Bool = true, returnsDistinctResults: Bool = false,
    includesPendingChanges: Bool = true, resultType: ResultType = .objects,
    source: FetchSource? = nil
  ) {
    self.name = name
    self.entity = entity
    self.predicateText = predicateText
    self.predicate = predicate
    self.faults = faults
    self.limit = limit
    self.batchSize = batchSize
    self.includesSubentities = includesSubentities
    self.includesPropertyValues = includesPropertyValues
    self.returnsObjectsAsFaults = returnsObjectsAsFaults
    self.returnsDistinctResults = returnsDistinctResults
    self.includesPendingChanges = includesPendingChanges
    self.resultType = resultType
    self.source = source
  }
}

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
