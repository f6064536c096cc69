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

  /// Returns the errors of the template in the model that contains it.
  package func findings(in model: Model) -> [Diagnostic] {
    do {
      _ = try checked(in: model)
      return []
    } catch {
      return [Diagnostic](explaining: error)
    }
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

/// What the request of a fetched property can ask of its surroundings.
public struct FetchSource: Hashable, Sendable {
  /// The variable for the object whose property it is: `$FETCH_SOURCE.city`.
  public static let objectVariable = "FETCH_SOURCE"
  /// The variable for the property itself: `$FETCHED_PROPERTY.userInfo.search`.
  public static let propertyVariable = "FETCHED_PROPERTY"

  /// The entity of the object.
  public var entity: String
  /// The property's name.
  public var property: String
  /// The property's user info.
  public var userInfo: [String: String]

  public init(entity: String, property: String, userInfo: [String: String] = [:]) {
    self.entity = entity
    self.property = property
    self.userInfo = userInfo
  }
}

extension Model {
  /// The requests of all fetched properties, each under the name `Employee.colleagues`, with the
  /// entities that declare them.
  public var fetchedPropertyTemplates: [FetchRequestTemplate] {
    entities.flatMap { entity in entity.fetchedProperties.map { $0.template(of: entity.name) } }
  }

  /// The request of a fetched property by its name behind that of an entity that has or inherits it:
  /// `Manager.colleagues`.
  func fetchedPropertyTemplate(named name: String) -> FetchRequestTemplate? {
    for entity in entities where name.hasPrefix(entity.name + ".") {
      let key = String(name.dropFirst(entity.name.count + 1))
      if case .fetched(let fetched)? = property(named: key, of: entity)?.0 {
        return fetched.template(of: entity.name)
      }
    }
    return nil
  }
}

extension FetchedProperty {
  fileprivate func template(of entity: String) -> FetchRequestTemplate {
    var template = request
    template.name = "\(entity).\(name)"
    template.source = FetchSource(entity: entity, property: name, userInfo: userInfo)
    return template
  }
}
