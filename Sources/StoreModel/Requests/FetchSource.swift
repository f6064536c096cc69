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
