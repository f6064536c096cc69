import StoreDiagnostics

/// The type of an expression, as far as the model determines it.
public enum ValueType: Hashable, Sendable {
  /// An unknown type: the type of NULL, of an untyped attribute, or of a variable that isn't compared with a typed
  /// value.
  case any
  /// A value of this attribute type.
  case attribute(AttributeType)
  /// A row of this entity or of a sub-entity.
  case object(String)
  /// The name of an entity, as in `entity == "Employee"`.
  case entity
  /// A list, or the values of a to-many key path.
  indirect case collection(of: ValueType)

  /// A group of types that are comparable with each other.
  package enum Family: Hashable {
    case any, number, text, date, uuid, binary, object, entity, collection
  }

  package var family: Family {
    switch self {
    case .any: .any
    case .object: .object
    case .entity: .entity
    case .collection: .collection
    case .attribute(let type): type.family
    }
  }

  /// The type of the members of a collection, or this type if it isn't a collection.
  public var element: ValueType {
    if case .collection(let element) = self { element } else { self }
  }

  /// The name of the entity of an object.
  package var entity: String? {
    if case .object(let entity) = self { entity } else { nil }
  }

  /// Whether the type is a collection.
  public var isCollection: Bool { family == .collection }

  /// Whether values can be compared with `<`.
  package var isOrdered: Bool {
    switch family {
    case .any, .number, .text, .date, .uuid, .binary: true
    case .object, .entity, .collection: false
    }
  }
}

extension AttributeType {
  package var family: ValueType.Family {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
    case .string, .uri: .text
    case .date: .date
    case .uuid: .uuid
    case .binary: .binary
    case .undefined, .transformable, .objectID, .composite: .any
    }
  }

  /// Whether the values are integers, including Booleans. The division of integers truncates.
  public var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    case .undefined, .decimal, .double, .float, .string, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite:
      false
    }
  }
}

extension ValueType {
  /// The type with an article, for sentences: `an Integer 16`, `an object of 'List'`, `a list of String`.
  package var phrase: String {
    switch self {
    case .any: "a value"
    case .attribute(let type): type.name.withArticle
    case .object, .entity: description.withArticle
    case .collection(.any): "a list"
    case .collection(.object(let entity)): "a list of objects of '\(entity)'"
    case .collection(let element): "a list of \(element)"
    }
  }
}

extension ValueType: CustomStringConvertible {
  /// The type as text for messages: `Integer 16`, `object of 'List'`, `list of String`.
  public var description: String {
    switch self {
    case .any: "any value"
    case .attribute(let type): type.name
    case .object(let entity): "object of '\(entity)'"
    case .entity: "entity name"
    case .collection(let element): "list of \(element)"
    }
  }
}
