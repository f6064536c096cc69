import StoreModel
import StorePredicate

/// What is written of an entity: names given, types chosen, inheritance flattened.
struct EntityShape: Hashable, Sendable {
  var entityName: String
  var typeName: String
  var comment: String?
  /// Its own and those of the entities that inherit from it.
  var entityNames: [String]
  /// Attributes by name, then to-one relationships by name.
  var properties: [PropertyShape]
  var toMany: [ToManyShape]
  /// Enumerations of the attributes that the entity itself declares.
  var enums: [EnumShape]
}

/// A property that rows hold a value of.
struct PropertyShape: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    /// `AttributePath`; the type without optionality.
    case attribute(SwiftType)
    /// `ToOnePath`; the type of the destination.
    case toOne(String)
    /// A structure of its own.
    case composite(CompositeShape)
  }

  /// In the model; `address.city` for an element of a composite.
  var path: [String]
  var name: String
  var comment: String?
  var kind: Kind
  var isOptional: Bool
  /// Computed by the store: read, never written.
  var isDerived = false
  /// What the initialiser takes where nothing is said; nil where something must be.
  var defaultValue: DefaultValue?

  var modelName: String { path.joined(separator: ".") }
}

/// A value to be written as the type of a property.
enum DefaultValue: Hashable, Sendable {
  case none
  case value(Value)
  /// A case of the property's enumeration.
  case enumCase(String)
  /// The composite of all defaults.
  case elements
}

struct ToManyShape: Hashable, Sendable {
  var modelName: String
  var name: String
  var comment: String?
  /// The destination's type.
  var destination: String
}

/// `address.city`: the attributes behind a composite one.
struct CompositeShape: Hashable, Sendable {
  /// The structure's own name.
  var name: String
  /// As other types say it: `Customer.Address`.
  var qualifiedName: String
  var elements: [PropertyShape]
  /// The entity's own declaration holds the structure's.
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
  /// The identifier, as a declaration writes it.
  var written: String { SwiftName.escaped(name) }

  var composite: CompositeShape? {
    if case .composite(let composite) = kind { composite } else { nil }
  }

  /// The structure that the entity's declaration must hold.
  var declaredComposite: CompositeShape? {
    composite.flatMap { $0.isDeclaredHere ? $0 : nil }
  }

  /// What has a column: the property itself, or the elements of a composite.
  var values: [PropertyShape] {
    guard let composite else { return [self] }
    return composite.elements.flatMap(\.values)
  }

  /// The same with the way to each from the row: `address.city`.
  var writtenValues: [(modelName: String, access: String)] {
    guard let composite else { return isDerived ? [] : [(modelName, written)] }
    return composite.elements.flatMap(\.writtenValues)
      .map { ($0.modelName, "\(written).\($0.access)") }
  }
}
