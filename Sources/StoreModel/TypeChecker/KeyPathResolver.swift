public import StorePredicate

/// Resolves key paths with a model.
///
///     KeyPathResolver(model: model).resolve([list, title], from: "Item")
///
/// As in Core Data, each key must be a property of the entity that the path has reached, or `objectID`, `entity` or
/// `self`. A property of a sub-entity can be resolved on its parent only if a condition on `entity` requires it.
public struct KeyPathResolver: Sendable {
  /// The model that contains the entities.
  public let model: DataModel
  private let narrowing: EntityNarrowing

  /// Creates a resolver for the key paths of a model.
  public init(model: DataModel) {
    self.init(model: model, narrowing: EntityNarrowing())
  }

  init(model: DataModel, narrowing: EntityNarrowing) {
    self.model = model
    self.narrowing = narrowing
  }

  /// Resolves a key path.
  ///
  /// - Parameters:
  ///   - keys: The steps of the key path.
  ///   - source: The name of the entity at which the path starts.
  /// - Returns: The resolved key path.
  /// - Throws: `CheckError` for the first step that can't be resolved.
  public func resolve(
    _ keys: [KeyPathStep], from source: String
  ) throws(CheckError) -> ResolvedKeyPath {
    try resolve(keys, from: source, at: nil)
  }

  /// - Parameter base: The start of the key path, or nil if conditions on an entity can't apply to the path.
  func resolve(
    _ keys: [KeyPathStep], from source: String, at base: EntityNarrowing.Base?
  ) throws(CheckError) -> ResolvedKeyPath {
    var path = ResolvedKeyPath(source: source)
    var rest = keys[...]
    while let next = rest.popFirst() {
      switch next.kind {
      case .collection(let function):
        path.ending = try aggregate(function, of: path, over: rest, at: next.range)
        return path
      case .key(let key):
        if try take(key, at: next.range, in: &path, from: base, &rest) { return path }
      }
    }
    return path
  }

  /// Adds one key to the path.
  ///
  /// - Returns: Whether the path is complete.
  private func take(
    _ key: String, at range: TextRange, in path: inout ResolvedKeyPath,
    from base: EntityNarrowing.Base?, _ rest: inout ArraySlice<KeyPathStep>
  ) throws(CheckError) -> Bool {
    guard var entity = model.entity(named: path.destination) else {
      throw CheckError(
        .unknownEntity(path.destination, known: model.entities.map(\.name)), at: range)
    }
    if let base, model.property(named: key, of: entity) == nil,
      let owner = narrowing.owner(of: key, behind: path.steps, from: base, in: model)
    {
      entity = owner
      path.owner = owner.name
    }
    switch model.property(named: key, of: entity)?.0 {
    case .relationship(let relationship):
      guard !relationship.isTransient else {
        throw CheckError(.transient(property: key, entity: entity.name), at: range)
      }
      path.steps.append(
        .init(
          entity: entity.name, relationship: key, destination: relationship.destination,
          isToMany: relationship.isToMany))
      path.owner = nil
      return false
    case .attribute(let attribute):
      path.ending = try ending(at: attribute, of: entity, range, &rest)
    case .fetched:
      throw CheckError(.fetchedProperty(key, entity: entity.name), at: range)
    case nil:
      switch key {
      case "objectID", "self": path.ending = .object
      case "entity": path.ending = .entity
      default: throw unknown(key, of: entity, at: range)
      }
      // `entity` is compared by its name, so `entity.name` has the same meaning.
      if path.ending == .entity, rest.first?.kind == .key("name") { rest.removeFirst() }
      if key == "self" { return false }
    }
    guard let extra = rest.first else { return true }
    if path.type == .attribute(.transformable) {
      throw CheckError(.insideTransformable("'\(key)' of '\(entity.name)'"), at: extra.range)
    }
    throw CheckError(
      .stepThroughAttribute(key, entity: entity.name, next: extra.text), at: extra.range)
  }

  private func ending(
    at attribute: AttributeDescription, of entity: EntityDescription, _ range: TextRange,
    _ rest: inout ArraySlice<KeyPathStep>
  ) throws(CheckError) -> ResolvedKeyPath.Ending {
    var attribute = attribute
    var path = attribute.name
    var range = range
    guard !attribute.isTransient else {
      throw CheckError(.transient(property: path, entity: entity.name), at: range)
    }
    while case .composite(let name) = attribute.type, let composite = model.composite(named: name) {
      let elements = composite.attributes.map(\.name)
      guard let next = rest.popFirst(), let key = next.key else {
        throw CheckError(
          .compositeWithoutElement(path, entity: entity.name, elements: elements), at: range)
      }
      range = next.range
      guard let element = composite.attributes.first(where: { $0.name == key }) else {
        throw CheckError(.unknownProperty(key, entity: name, known: elements), at: range)
      }
      attribute = element
      path += "." + key
    }
    return .attribute(attribute, path: path)
  }

  /// Returns the ending for `@count`, or for an operator such as `@sum` with the keys after it.
  private func aggregate(
    _ function: CollectionOperator, of path: ResolvedKeyPath, over rest: ArraySlice<KeyPathStep>,
    at range: TextRange
  ) throws(CheckError) -> ResolvedKeyPath.Ending {
    if function == .count, let extra = rest.first {
      throw CheckError(
        .stepThroughAttribute("@count", entity: nil, next: extra.text), at: extra.range)
    }
    guard function == .count || !rest.isEmpty else {
      throw CheckError(.operatorWithoutPath(function), at: range)
    }
    let over = function == .count ? nil : try resolve(Array(rest), from: path.destination)
    return .aggregate(function, over: over)
  }

  private func unknown(_ key: String, of entity: EntityDescription, at range: TextRange)
    -> CheckError
  {
    // A common error is a property that only the rows of a sub-entity have.
    let below = model.subtree(of: entity).dropFirst().first { $0.property(named: key) != nil }
    if let below {
      return CheckError(
        .propertyOfSubentity(key, entity: entity.name, subentity: below.name), at: range)
    }
    let known =
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    return CheckError(.unknownProperty(key, entity: entity.name, known: known), at: range)
  }
}

extension KeyPathStep {
  package var text: String {
    switch kind {
    case .key(let key): key
    case .collection(let function): function.rawValue
    }
  }
}
