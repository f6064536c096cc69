public import StorePredicate

/// A value that every row of an entity has.
public struct Attribute: Hashable, Sendable {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  /// Lives in memory only; has no column.
  public var isTransient: Bool
  /// Read by the attribute's type; nil when there is none or the model's text makes no sense.
  public var defaultValue: Value?
  public var validation: Validation
  /// The old single-attribute index (`indexed="YES"`).
  public var isIndexed: Bool
  public var allowsExternalStorage: Bool
  /// Kept in the history's tombstones when the row is deleted.
  public var isPreservedAfterDeletion: Bool
  public var allowsCloudEncryption: Bool
  public var isIndexedBySpotlight: Bool
  public var usesScalarValueType: Bool
  public var valueTransformer: String?
  public var customClassName: String?
  /// The expression that a derived attribute is computed from.
  public var derivation: FormatExpression?
  /// The XML's `elementID`.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

  public init(
    name: String, type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: Value? = nil, validation: Validation = Validation(), isIndexed: Bool = false,
    allowsExternalStorage: Bool = false, isPreservedAfterDeletion: Bool = false,
    allowsCloudEncryption: Bool = false, isIndexedBySpotlight: Bool = false,
    usesScalarValueType: Bool = false, valueTransformer: String? = nil,
    customClassName: String? = nil, derivation: FormatExpression? = nil,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.validation = validation
    self.isIndexed = isIndexed
    self.allowsExternalStorage = allowsExternalStorage
    self.isPreservedAfterDeletion = isPreservedAfterDeletion
    self.allowsCloudEncryption = allowsCloudEncryption
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.usesScalarValueType = usesScalarValueType
    self.valueTransformer = valueTransformer
    self.customClassName = customClassName
    self.derivation = derivation
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// What a value must satisfy beyond its type.
  public struct Validation: Hashable, Sendable {
    /// The least value; for a string the least length in characters.
    public var minimum: Value?
    /// The greatest value; for a string the greatest length in characters.
    public var maximum: Value?
    /// An ICU regular expression for the whole string.
    public var pattern: String?

    public init(minimum: Value? = nil, maximum: Value? = nil, pattern: String? = nil) {
      self.minimum = minimum
      self.maximum = maximum
      self.pattern = pattern
    }
  }
}

/// The expression of a derived attribute, in the forms that Apple documents
/// (docs/formats/model-xml.md).
package enum Derivation: Hashable {
  /// `now()`: when the row was last saved.
  case now
  /// `pages.@count`
  case count(relationship: String)
  /// `pages.words.@sum`
  case sum(relationship: String, attribute: String)
  /// `title` or `lastMessage.createdAt`: the names on the way, the attribute last.
  case value([String])
  /// `canonical:(title)`, `uppercase:(…)`, `lowercase:(…)`
  case text(Function, [String])

  /// Nil for any other expression: Core Data is not known to keep such an attribute.
  package init?(_ expression: FormatExpression) {
    let form = expression.derivationForm
    switch form.kind {
    case .function(.now, _): self = .now
    case .function(let change, let arguments)
    where [.canonical, .uppercase, .lowercase].contains(change) && arguments.count == 1:
      guard let names = arguments[0].propertyNames else { return nil }
      self = .text(change, names)
    case .keyPath(let base, let steps) where base.kind == .selfObject:
      if let names = form.propertyNames {
        self = .value(names)
      } else if steps.count == 2, let relationship = steps[0].key, steps[1].function == .count {
        self = .count(relationship: relationship)
      } else if steps.count == 3, let relationship = steps[0].key, steps[1].function == .sum,
        let attribute = steps[2].key
      {
        self = .sum(relationship: relationship, attribute: attribute)
      } else {
        return nil
      }
    default: return nil
    }
  }
}

extension FormatExpression {
  /// The names in a key path of properties only.
  fileprivate var propertyNames: [String]? {
    guard case .keyPath(let base, let steps) = kind, base.kind == .selfObject else { return nil }
    let names = steps.compactMap(\.key)
    return names.count == steps.count ? names : nil
  }
}
