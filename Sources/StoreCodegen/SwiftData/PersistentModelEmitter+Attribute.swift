import StoreDiagnostics
import StoreModel

extension PersistentModelEmitter {
  /// Returns the entity's own attributes, then its to-one relationships, then its to-many relationships.
  mutating func properties(of entity: EntityDescription) -> [StoredProperty] {
    var properties = entity.attributes.compactMap { property($0, of: entity) }
    for isToMany in [false, true] {
      properties += entity.relationships.filter { $0.isToMany == isToMany }
        .compactMap { property($0, of: entity) }
    }
    return properties
  }

  /// Returns the properties of an entity and its ancestors for an initializer. Issues aren't reported, because
  /// `properties(of:)` has already reported them.
  func inheritedProperties(of entity: EntityDescription) -> [StoredProperty] {
    var silent = self
    let parent = entity.parent.flatMap(model.entity(named:))
    return (parent.map { inheritedProperties(of: $0) } ?? []) + silent.properties(of: entity)
  }

  /// Returns whether the class has a variable for the attribute.
  func isStored(_ attribute: AttributeDescription) -> Bool {
    attribute.derivation == nil && attribute.type != .undefined && attribute.type != .objectID
  }

  private mutating func property(_ attribute: AttributeDescription, of entity: EntityDescription)
    -> StoredProperty?
  {
    let part = ModelPart.property(attribute.name, of: entity.name)
    let subject = "'\(entity.name).\(attribute.name)'"
    guard isStored(attribute) else {
      report(
        attribute.derivation != nil
          ? "\(subject) is omitted, because SwiftData doesn't support derived attributes"
          : "\(subject) is omitted, because SwiftData doesn't support attributes of type \(attribute.type.name)",
        at: part)
      return nil
    }
    let name = names.member(attribute.name, of: entity.name)
    var property = variable(for: attribute, named: name, subject, at: part)
    guard !attribute.isTransient else {
      // The macro `@Transient` requires a default, which an optional variable has.
      if property.initial == nil, !attribute.isOptional { property.type += "?" }
      property.macro = "@Transient"
      property.isGiven = false
      return property
    }
    property.macro = macro(for: attribute, named: name, of: entity, subject, at: part)
    return property
  }

  /// Returns the property for an attribute of a composite, or nil if the structure can't have it.
  mutating func element(
    _ attribute: AttributeDescription, named name: String, of composite: CompositeDescription
  ) -> StoredProperty? {
    let part = ModelPart.composite(composite.name)
    let subject = "'\(composite.name).\(attribute.name)'"
    guard isStored(attribute), attribute.type != .transformable else {
      report("\(subject) is omitted, because a SwiftData structure can't contain it", at: part)
      return nil
    }
    return variable(for: attribute, named: name, subject, at: part)
  }

  private mutating func variable(
    for attribute: AttributeDescription, named name: String, _ subject: String, at part: ModelPart
  ) -> StoredProperty {
    if name != attribute.name { reportName(name, subject, at: part) }
    var property = StoredProperty(
      comment: attribute.userInfo.comment, name: name,
      type: type(of: attribute, subject, at: part) + (attribute.isOptional ? "?" : ""))
    if let value = attribute.defaultValue, attribute.type != .transformable,
      // The text may not be a valid URL, so the parameter has no default, and the program must pass a URL.
      attribute.type != .uri || attribute.isOptional
    {
      property.initial = types.literal(value, as: SwiftType(attribute.type))
    }
    property.assumed = property.initial ?? (attribute.isOptional ? "nil" : nil)
    return property
  }

  mutating func reportName(_ name: String, _ subject: String, at part: ModelPart) {
    report("SwiftData will call \(subject) by the name of its variable, '\(name)'", at: part)
  }

  // MARK: Types

  private mutating func type(
    of attribute: AttributeDescription, _ subject: String, at part: ModelPart
  ) -> String {
    switch attribute.type {
    case .composite(let name): return composites[name] ?? name
    case .transformable:
      guard let custom = CustomClass(of: attribute) else { return types.foundation("NSObject") }
      if let type = custom.type { return type }
      report(
        "\(subject) is written as NSObject, because '\(custom.text)' isn't a Swift type", at: part)
      return types.foundation("NSObject")
    default: return types(SwiftType(attribute.type))
    }
  }

  private mutating func macro(
    for attribute: AttributeDescription, named name: String, of entity: EntityDescription,
    _ subject: String,
    at part: ModelPart
  ) -> SwiftCode? {
    var arguments: [SwiftCode] = []
    if entity.uniquenessConstraints.contains([attribute.name]) { arguments.append(".unique") }
    if attribute.type == .transformable {
      arguments.append(transformer(of: attribute, subject, at: part))
    }
    if attribute.allowsExternalStorage { arguments.append(".externalStorage") }
    if attribute.allowsCloudEncryption { arguments.append(".allowsCloudEncryption") }
    if attribute.isPreservedAfterDeletion { arguments.append(".preserveValueOnDeletion") }
    if attribute.isIndexedBySpotlight { arguments.append(".spotlight") }
    let old = attribute.renamingIdentifier ?? attribute.name
    arguments += Self.identity(old: old, name, attribute.versionHashModifier)
    return arguments.isEmpty ? nil : .call("@Attribute", arguments)
  }

  /// Returns the arguments that `@Attribute` and `@Relationship` have in common.
  static func identity(old: String, _ name: String, _ modifier: String?) -> [SwiftCode] {
    var arguments: [SwiftCode] = []
    if !old.isExactly(name) { arguments.append("originalName: \(SwiftLiteral.string(old))") }
    if let modifier { arguments.append("hashModifier: \(SwiftLiteral.string(modifier))") }
    return arguments
  }

  private mutating func transformer(
    of attribute: AttributeDescription, _ subject: String, at part: ModelPart
  ) -> SwiftCode {
    if let name = attribute.valueTransformer, !name.isEmpty {
      return ".transformable(by: \(SwiftLiteral.string(name)))"
    }
    let secure = "NSSecureUnarchiveFromData"
    report("\(subject) doesn't specify a transformer, so '\(secure)' is used", at: part)
    return ".transformable(by: \(SwiftLiteral.string(secure)))"
  }
}
