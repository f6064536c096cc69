public import StorePredicate

/// A property of an entity that contains a value, not a reference to another row.
public struct AttributeDescription: Hashable, Sendable {
  /// The name of the attribute.
  public var name: String
  /// The type of the values.
  public var type: AttributeType
  /// Whether a row may omit a value.
  public var isOptional: Bool
  /// Whether the attribute exists only in memory. A transient attribute doesn't have a column.
  public var isTransient: Bool
  /// The value of the attribute in new rows. It is nil if the model doesn't specify a default, or if the text of the
  /// default isn't a value of `type`.
  public var defaultValue: DataValue?
  /// The rules that values must satisfy, beyond their type.
  public var validation: Validation
  /// Whether the attribute has an index of the old form (`indexed="YES"`).
  public var isIndexed: Bool
  /// Whether large values may be stored in files beside the store.
  public var allowsExternalStorage: Bool
  /// Whether the persistent history keeps the value when a row is deleted, in the row's tombstone.
  public var isPreservedAfterDeletion: Bool
  /// Whether CloudKit encrypts the values.
  public var allowsCloudEncryption: Bool
  /// Whether Spotlight indexes the values.
  public var isIndexedBySpotlight: Bool
  /// Whether generated classes use a scalar type, such as `Int64`, instead of an object.
  public var usesScalarValueType: Bool
  /// The name of the transformer of a transformable attribute.
  public var valueTransformer: String?
  /// The name of the class of a transformable attribute.
  public var customClassName: String?
  /// The expression that computes the values of a derived attribute.
  public var derivation: FormatExpression?
  /// The renaming identifier (`elementID` in the XML), which is usually the name in an older version of the model.
  /// Migrations pair attributes by it.
  public var renamingIdentifier: String?
  /// A text that changes the version hash of the attribute.
  public var versionHashModifier: String?
  /// The user info of the attribute.
  public var userInfo: [String: String]

  /// Creates an attribute. Each argument sets the property with the same name.
  public init(
    name: String, type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: DataValue? = nil, validation: Validation = Validation(), isIndexed: Bool = false,
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

  /// The rules of an attribute that its values must satisfy.
  public struct Validation: Hashable, Sendable {
    /// The smallest value or, for a string, the smallest number of characters.
    public var minimum: DataValue?
    /// The largest value or, for a string, the largest number of characters.
    public var maximum: DataValue?
    /// An ICU regular expression that the whole string must match.
    public var pattern: String?

    /// Creates the rules of an attribute. Omitted rules aren't checked.
    public init(minimum: DataValue? = nil, maximum: DataValue? = nil, pattern: String? = nil) {
      self.minimum = minimum
      self.maximum = maximum
      self.pattern = pattern
    }
  }
}

/// The expression of a derived attribute, in the forms that Apple documents
/// (docs/formats/model-xml.md).
package enum Derivation: Hashable {
  /// `now()`: the date at which the row was last saved.
  case now
  /// The number of members of a to-many relationship: `pages.@count`.
  case count(relationship: String)
  /// The sum of an attribute of all members: `pages.words.@sum`.
  case sum(relationship: String, attribute: String)
  /// The value of another attribute: `title` or `lastMessage.createdAt`. The array contains the keys of the path.
  case value([String])
  /// A text in another form: `canonical:(title)`, `uppercase:(…)` or `lowercase:(…)`. The array contains the keys of
  /// the path to the text.
  case text(FormatFunction, [String])

  /// Returns nil if the expression has none of these forms, because it isn't known whether Core Data would update such
  /// an attribute.
  package init?(_ expression: FormatExpression) {
    let form = expression.derivationForm
    switch form.kind {
    case .function(.now, _): self = .now
    case .function(let change, let arguments)
    where [.canonical, .uppercase, .lowercase].contains(change) && arguments.count == 1:
      guard let names = arguments[0].ownKeys else { return nil }
      self = .text(change, names)
    case .keyPath(let base, let steps) where base.kind == .selfObject:
      if let names = form.ownKeys {
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
