import StoreModel
import StorePredicate

/// The Swift structure that represents an entity, with its names and types. It also contains the inherited properties.
struct EntityShape: Hashable, Sendable {
  var entityName: String
  var typeName: String
  var comment: String?
  /// The names of the entity and its subentities.
  var entityNames: [String]
  /// The attributes, then the to-one relationships, each sorted by name.
  var properties: [PropertyShape]
  var toMany: [ToManyShape]
  /// The enumerations of the entity's own attributes, but not of inherited attributes.
  var enums: [EnumShape]
}

/// A property that has a column, or several columns if its type is a composite.
struct PropertyShape: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    /// An attribute with the type of its value, without optionality.
    case attribute(SwiftType)
    /// A to-one relationship with the type of its destination.
    case toOne(String)
    /// A composite attribute with its structure.
    case composite(CompositeShape)
  }

  /// The path in the model, such as `address.city` for an element of a composite.
  var path: [String]
  var name: String
  var comment: String?
  var kind: Kind
  var isOptional: Bool
  /// Whether the store computes the value. Programs can only read it.
  var isDerived = false
  /// The default of the initializer's parameter, or nil if there is none.
  var defaultValue: DefaultValue?

  var modelName: String { path.joined(separator: ".") }

  /// The name in the entity or the composite that declares the property.
  var ownName: String { path.last ?? name }
}

enum DefaultValue: Hashable, Sendable {
  /// The default is `nil`.
  case none
  case value(DataValue)
  /// A case of the property's enumeration, as in source after the dot.
  case enumCase(String)
  /// The composite with the defaults of all elements.
  case elements
}

struct ToManyShape: Hashable, Sendable {
  var modelName: String
  var name: String
  var comment: String?
  var destination: String
}

/// The Swift structure that represents a composite.
struct CompositeShape: Hashable, Sendable {
  var name: String
  /// The name in other types, such as `Customer.Address`.
  var qualifiedName: String
  var elements: [PropertyShape]
  /// Whether the structure is nested in the entity's own type, and not in the type of an ancestor.
  var isDeclaredHere: Bool
}

/// The Swift enumeration of the values that an attribute can have.
struct EnumShape: Hashable, Sendable {
  struct Case: Hashable, Sendable {
    var name: String
    var value: DataValue
  }

  var name: String
  var rawType: SwiftType
  var comment: String?
  var cases: [Case]
  /// Whether the attribute can also have other values, so that its type is an `OpenEnum`.
  var isOpen: Bool
}

extension PropertyShape {
  init(_ composite: CompositeShape, path: [String], name: String, comment: String?) {
    let takesNothing = composite.elements.allSatisfy { $0.isDerived || $0.defaultValue != nil }
    self.init(
      path: path, name: name, comment: comment, kind: .composite(composite), isOptional: false,
      defaultValue: takesNothing ? .elements : nil)
  }

  /// The name in source, in backquotes if it is a keyword.
  var written: String { SwiftName.escaped(name) }

  var composite: CompositeShape? {
    if case .composite(let composite) = kind { composite } else { nil }
  }

  /// The composite's structure if it is nested in the entity's own type, and otherwise nil.
  var declaredComposite: CompositeShape? {
    composite.flatMap { $0.isDeclaredHere ? $0 : nil }
  }

  /// The properties with columns: the property itself, or the elements of a composite.
  var values: [PropertyShape] {
    guard let composite else { return [self] }
    return composite.elements.flatMap(\.values)
  }

  /// The names and the Swift expressions of the property's values, such as `address.city`, within the structure that
  /// has the property. Derived values are omitted, because they can't be written.
  var writtenValues: [(name: String, access: String)] {
    guard let composite else { return isDerived ? [] : [(ownName, written)] }
    return composite.elements.flatMap(\.writtenValues)
      .map { ("\(ownName).\($0.name)", "\(written).\($0.access)") }
  }
}
