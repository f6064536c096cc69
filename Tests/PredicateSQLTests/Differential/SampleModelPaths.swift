import StoreModel
import StorePredicate

/// The key paths of `SampleGraph.model`, by their destination.
enum SampleModelPaths {
  /// The type of an expression, as far as the test's predicates distinguish it.
  enum Kind: Hashable {
    case number, boolean, text, date, uuid, binary
    /// A type that can only be compared with nil.
    case opaque
    case object(String)
  }

  /// A path of to-one steps to one value.
  struct Leaf {
    var path: String
    var kind: Kind
    var steps: Int
  }

  /// A path to many objects.
  struct Collection {
    var path: String
    var destination: String
    var steps: Int
    var toManySteps: Int
    /// Whether all of its to-many steps are ordered.
    var isOrdered: Bool
  }

  private static let model = SampleGraph.model

  // MARK: Paths

  static func leaves(of entity: String) -> [Leaf] { leaves[entity] ?? [] }

  static func collections(of entity: String) -> [Collection] { collections[entity] ?? [] }

  private static let leaves = table { leaves(of: $0, steps: 0) }
  private static let collections = table { collections(of: $0, steps: 0) }

  private static func leaves(of entity: EntityDescription, steps: Int) -> [Leaf] {
    var found = attributes(of: entity).map { path, type in
      Leaf(path: path, kind: kind(of: type), steps: steps)
    }
    guard steps < 2 else { return found }
    for (relationship, destination) in relationships(of: entity) where !relationship.isToMany {
      found.append(
        Leaf(path: relationship.name, kind: .object(destination.name), steps: steps))
      found += leaves(of: destination, steps: steps + 1).map { leaf in
        Leaf(path: "\(relationship.name).\(leaf.path)", kind: leaf.kind, steps: leaf.steps)
      }
    }
    return found
  }

  /// Returns paths with at most three steps, of which one or two are to-many.
  private static func collections(of entity: EntityDescription, steps: Int) -> [Collection] {
    guard steps < 3 else { return [] }
    return relationships(of: entity).flatMap { relationship, destination -> [Collection] in
      let own = Collection(
        path: relationship.name, destination: destination.name, steps: steps + 1,
        toManySteps: relationship.isToMany ? 1 : 0,
        isOrdered: relationship.isOrdered || !relationship.isToMany)
      let further = collections(of: destination, steps: steps + 1).map { behind in
        Collection(
          path: "\(relationship.name).\(behind.path)", destination: behind.destination,
          steps: behind.steps, toManySteps: behind.toManySteps + own.toManySteps,
          isOrdered: own.isOrdered && behind.isOrdered)
      }
      let behind = leaves(of: destination, steps: 1).filter { $0.steps == 1 }
        .compactMap { leaf -> Collection? in
          guard case .object(let entity) = leaf.kind, relationship.isToMany else { return nil }
          return Collection(
            path: "\(relationship.name).\(leaf.path)", destination: entity, steps: steps + 2,
            toManySteps: 1, isOrdered: own.isOrdered)
        }
      return (relationship.isToMany ? [own] : []) + further.filter { $0.toManySteps < 3 } + behind
    }
  }

  private static func kind(of type: AttributeType) -> Kind {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
    case .boolean: .boolean
    case .string, .uri: .text
    case .date: .date
    case .uuid: .uuid
    case .binary: .binary
    case .transformable, .undefined, .objectID, .composite: .opaque
    }
  }

  // MARK: Fast access to the model

  static func subtree(of entity: String) -> [String] { subtrees[entity] ?? [] }

  static func lineage(of entity: String) -> [String] { lineages[entity] ?? [] }

  static func property(_ name: String, of entity: String) -> PropertyDescription? {
    properties[entity]?[name]
  }

  static func leadsThroughToMany(_ keys: [String], from entity: String) -> Bool {
    var entity = entity
    for key in keys {
      guard case .relationship(let relationship)? = property(key, of: entity) else { return false }
      if relationship.isToMany { return true }
      entity = relationship.destination
    }
    return false
  }

  /// Returns the stored attributes by path.
  static func attributes(of entity: EntityDescription) -> [(path: String, type: AttributeType)] {
    model.attributes(of: entity).flatMap { attribute -> [(path: String, type: AttributeType)] in
      guard case .composite(let name) = attribute.type, let composite = model.composite(named: name)
      else { return [(attribute.name, attribute.type)] }
      return composite.attributes.map { ("\(attribute.name).\($0.name)", $0.type) }
    }
  }

  private static func relationships(of entity: EntityDescription) -> [(
    RelationshipDescription, destination: EntityDescription
  )] {
    model.relationships(of: entity).compactMap { relationship in
      model.entity(named: relationship.destination).map { (relationship, $0) }
    }
  }

  private static let subtrees = table { model.subtree(of: $0).map(\.name) }
  private static let lineages = table { [$0.name] + model.ancestors(of: $0).map(\.name) }
  private static let properties = table { entity in
    let attributes = model.attributes(of: entity).map {
      ($0.name, PropertyDescription.attribute($0))
    }
    let relationships = model.relationships(of: entity).map {
      ($0.name, PropertyDescription.relationship($0))
    }
    return Dictionary(uniqueKeysWithValues: attributes + relationships)
  }

  private static func table<Row>(_ row: (EntityDescription) -> Row) -> [String: Row] {
    Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, row($0)) })
  }
}
