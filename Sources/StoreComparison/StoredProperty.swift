import StoreLayout
import StoreModel

/// The type of a stored property, which determines whether its values can be compared with another property's values.
enum StoredProperty: Hashable {
  case attribute(AttributeType)
  case toOne(destination: String)
  case toMany(destination: String, isOrdered: Bool)

  var kind: ComparedProperty.Kind {
    switch self {
    case .attribute: .attribute
    case .toOne: .toOne
    case .toMany: .toMany
    }
  }

  /// Whether values of the two properties can be equal. An Integer and a Double can be compared, because their values
  /// may be the same number.
  func isComparable(to other: StoredProperty) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let other)):
      one == other || one.comparedAs != nil && one.comparedAs == other.comparedAs
    case (.toOne, .toOne), (.toMany, .toMany): self == other
    case (.attribute, _), (.toOne, _), (.toMany, _): false
    }
  }

  /// The destination of a relationship; nil for an attribute.
  var destination: String? {
    switch self {
    case .attribute: nil
    case .toOne(let destination), .toMany(let destination, _): destination
    }
  }

  var description: String {
    switch self {
    case .attribute(let type): type.name
    case .toOne(let destination): "to-one, \(destination)"
    case .toMany(let destination, let isOrdered):
      "\(isOrdered ? "ordered " : "")to-many, \(destination)"
    }
  }
}

extension AttributeType {
  fileprivate enum ComparedAs {
    case number, text, bytes
  }

  /// The group of types whose values can be compared with each other; nil if the type's values can't be compared with
  /// values of other types.
  fileprivate var comparedAs: ComparedAs? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: .number
    case .string, .uri: .text
    case .binary, .transformable: .bytes
    case .date, .uuid, .undefined, .objectID, .composite: nil
    }
  }
}

extension EntityLayout {
  var storedProperties: [String: StoredProperty] {
    var found = attributes.mapValues { StoredProperty.attribute($0.type) }
    for (name, toOne) in toOne { found[name] = .toOne(destination: toOne.destination) }
    for (name, toMany) in toMany {
      found[name] = .toMany(destination: toMany.destination, isOrdered: toMany.isOrdered)
    }
    return found
  }
}
