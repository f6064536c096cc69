import StoreModel
import StorePredicate

/// The form of an entity in source, with names, types and flattened inheritance.
struct EntityShape: Hashable, Sendable {
  var entityName: String
  var typeName: String
  var comment: String?
  /// The entity and its subentities.
  var entityNames: [String]
  /// The attributes by name, then the to-one relationships by name.
  var properties: [PropertyShape]
  var toMany: [ToManyShape]
  /// The enumerations of attributes that the entity itself declares.
  var enums: [EnumShape]
}

/// A property with a value in rows.
struct PropertyShape: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    /// `AttributePath` with the type without optionality.
    case attribute(SwiftType)
    /// `ToOnePath` with the type of the destination.
    case toOne(String)
    /// A separate structure.
    case composite(CompositeShape)
  }

  /// The path in the model, such as `address.city` for an element of a composite.
  var path: [String]
  var name: String
  var comment: String?
  var kind: Kind
  var isOptional: Bool
  /// Whether the store computes the value, so that it is only read.
  var isDerived = false
  /// The default of the initializer's parameter, or nil if there is none.
  var defaultValue: DefaultValue?

  var modelName: String { path.joined(separator: ".") }
}

/// A value in the notation of the property's type.
enum DefaultValue: Hashable, Sendable {
  case none
  case value(Value)
  /// A case of the property's enumeration.
  case enumCase(String)
  /// The composite with the defaults of all elements.
  case elements
}

struct ToManyShape: Hashable, Sendable {
  var modelName: String
  var name: String
  var comment: String?
  /// The type of the destination.
  var destination: String
}

/// The attributes of a composite, such as `address.city`.
struct CompositeShape: Hashable, Sendable {
  /// The name of the structure.
  var name: String
  /// The name in other types, such as `Customer.Address`.
  var qualifiedName: String
  var elements: [PropertyShape]
  /// Whether the structure is nested in the entity's own declaration.
  var isDeclaredHere: Bool
}

/// The raw values that the model allows.
struct EnumShape: Hashable, Sendable {
  struct Case: Hashable, Sendable {
    var name: String
    var value: Value
  }

  var name: String
  var rawType: SwiftType
  var comment: String?
  var cases: [Case]
}

extension PropertyShape {
  /// The identifier in a declaration.
  var written: String { SwiftName.escaped(name) }

  var composite: CompositeShape? {
    if case .composite(let composite) = kind { composite } else { nil }
  }

  /// The structure to nest in the entity's declaration.
  var declaredComposite: CompositeShape? {
    composite.flatMap { $0.isDeclaredHere ? $0 : nil }
  }

  /// The properties with columns: the property itself, or the elements of a composite.
  var values: [PropertyShape] {
    guard let composite else { return [self] }
    return composite.elements.flatMap(\.values)
  }

  /// The values with their paths from the row, such as `address.city`.
  var writtenValues: [(modelName: String, access: String)] {
    guard let composite else { return isDerived ? [] : [(modelName, written)] }
    return composite.elements.flatMap(\.writtenValues)
      .map { ($0.modelName, "\(written).\($0.access)") }
  }
}
