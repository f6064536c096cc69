/// What kind of value an expression has, as far as the model tells.
public enum ValueType: Hashable, Sendable {
  /// NULL, an untyped attribute, a variable that is compared with nothing known.
  case any
  case attribute(AttributeType)
  /// A row of this entity, or of one below it.
  case object(String)
  /// Which entity a row has: `entity == "Employee"`.
  case entity
  /// A list, or what a to-many key path leads to.
  indirect case collection(of: ValueType)

  /// What can be compared with what: types of one family.
  enum Family: Hashable {
    case any, number, text, date, uuid, binary, object, entity, collection
  }

  var family: Family {
    switch self {
    case .any: .any
    case .object: .object
    case .entity: .entity
    case .collection: .collection
    case .attribute(let type): type.family
    }
  }

  /// The members' type of a collection; any other type itself.
  public var element: ValueType {
    if case .collection(let element) = self { element } else { self }
  }

  /// The entity of an object.
  package var entity: String? {
    if case .object(let entity) = self { entity } else { nil }
  }

  public var isCollection: Bool { family == .collection }

  /// `<` has a meaning for it.
  package var isOrdered: Bool {
    switch family {
    case .any, .number, .text, .date, .uuid, .binary: true
    case .object, .entity, .collection: false
    }
  }
}

extension AttributeType {
  var family: ValueType.Family {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
    case .string, .uri: .text
    case .date: .date
    case .uuid: .uuid
    case .binary: .binary
    case .undefined, .transformable, .objectID, .composite: .any
    }
  }

  /// Its values are whole numbers, so that division truncates.
  public var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    case .undefined, .decimal, .double, .float, .string, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite:
      false
    }
  }
}

extension ValueType: CustomStringConvertible {
  /// For people: `Integer 16`, `object of 'List'`, `list of String`.
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
