public import StoreDiagnostics
public import StorePredicate

/// A named fetch request of a model. Its predicate can contain variables.
public struct FetchRequestTemplate: Hashable, Sendable {
  /// The form of the results.
  public enum ResultType: Int, Hashable, Sendable {
    /// Managed objects.
    case objects = 0
    /// Object IDs.
    case objectIDs = 1
    /// Dictionaries with values.
    case dictionaries = 2
    /// The number of results.
    case count = 4
  }

  /// The name of the template.
  public var name: String
  /// The name of the fetched entity.
  public var entity: String
  /// The text of the predicate in the XML, or nil if the predicate is missing or was built by code.
  public var predicateText: PredicateText?
  /// The parsed predicate. If it is nil and the template has no `faults`, all rows match.
  public var predicate: FormatPredicate?
  /// The reasons why the template can't be used. A command fails only if it uses the template, but `model check` always
  /// reports the reasons.
  public var faults: [DiagnosticMessage]
  /// The maximum number of results, or 0 for any number.
  public var limit: Int
  /// The number of objects that Core Data reads at once, or 0 for all. It doesn't affect the results.
  public var batchSize: Int
  /// Whether rows of sub-entities are fetched, too.
  public var includesSubentities: Bool
  /// Whether Core Data reads the values of the objects.
  public var includesPropertyValues: Bool
  /// Whether Core Data returns objects as faults.
  public var returnsObjectsAsFaults: Bool
  /// Whether equal dictionaries are returned only once.
  public var returnsDistinctResults: Bool
  /// Whether Core Data considers unsaved changes.
  public var includesPendingChanges: Bool
  /// The form of the results.
  public var resultType: ResultType
  /// The fetched property whose request this is, or nil for a template of the model.
  public var source: FetchSource?

  /// Creates a template. Each argument sets the property with the same name.
  public init(
    name: String, entity: String, predicateText: PredicateText? = nil,
    predicate: FormatPredicate? = nil, faults: [DiagnosticMessage] = [], limit: Int = 0,
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

  /// Checks the predicate against a model. Without a predicate, the result is TRUEPREDICATE. If the predicate uses
  /// `$FETCH_SOURCE`, the result contains it as a variable.
  ///
  /// - Parameter model: The model that contains the template.
  /// - Returns: The checked predicate.
  /// - Throws: `DiagnosticError` with the template's `faults`, or `CheckErrors` if the predicate doesn't fit the model.
  public func checked(in model: DataModel) throws -> CheckedPredicate {
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
  package func findings(in model: DataModel) -> [DiagnosticMessage] {
    do {
      _ = try checked(in: model)
      return []
    } catch {
      return [DiagnosticMessage](explaining: error)
    }
  }
}

extension StoreFetchRequest {
  /// Creates the request of a fetched property of an object.
  ///
  ///     let request = try StoreFetchRequest(fetchedProperty: "colleagues", of: ann, in: model)
  ///
  /// The predicate contains the object's ID. A `PredicateEvaluator` can also evaluate it in memory if its `object`
  /// returns the object for the ID.
  ///
  /// - Parameters:
  ///   - name: The name of the fetched property.
  ///   - object: The ID of the object.
  ///   - model: The model of the object.
  /// - Throws: `ModelLookupError` if the object's entity or the property doesn't exist, `DiagnosticError` if its
  ///   request can't be used, or `CheckErrors` if the request doesn't fit the model.
  public init(fetchedProperty name: String, of object: ObjectID, in model: DataModel) throws {
    let entity = try model.requireEntity(named: object.entity)
    let template = try model.requireTemplate(named: "\(entity.name).\(name)")
    let source = [FetchSource.objectVariable: FormatExpression.value(.objectID(object))]
    let predicate = try template.checked(in: model).predicate.substituting(source)
    self.init(template, predicate: template.predicate == nil ? nil : predicate)
  }
}

/// The object and the fetched property that the predicate of a fetched property can refer to.
public struct FetchSource: Hashable, Sendable {
  /// The variable for the object that has the property: `$FETCH_SOURCE.city`.
  public static let objectVariable = "FETCH_SOURCE"
  /// The variable for the property: `$FETCHED_PROPERTY.userInfo.search`.
  public static let propertyVariable = "FETCHED_PROPERTY"

  /// The entity of the object.
  public var entity: String
  /// The name of the property.
  public var property: String
  /// The user info of the property.
  public var userInfo: [String: String]

  /// Creates a source. Each argument sets the property with the same name.
  public init(entity: String, property: String, userInfo: [String: String] = [:]) {
    self.entity = entity
    self.property = property
    self.userInfo = userInfo
  }
}

extension DataModel {
  /// The requests of all fetched properties. Their names contain the entity that declares the property, such as
  /// `Employee.colleagues`.
  public var fetchedPropertyTemplates: [FetchRequestTemplate] {
    entities.flatMap { entity in entity.fetchedProperties.map { $0.template(of: entity.name) } }
  }

  /// Returns the request of a fetched property. Its name contains an entity that declares or inherits the property,
  /// such as `Manager.colleagues`.
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
