import StoreModel
import StorePredicate

extension ModelEncoder {
  func archivedClass(of attribute: AttributeDescription) -> ClassChain {
    if attribute.derivation != nil { return .derivedAttribute }
    if case .composite = attribute.type { return .compositeAttribute }
    return .attribute
  }

  mutating func values(of attribute: AttributeDescription, in entity: EntityDescription) -> Values {
    let facts = PropertyFacts(
      name: attribute.name, isOptional: attribute.isOptional,
      isReadOnly: attribute.derivation != nil, isTransient: attribute.isTransient,
      isIndexed: isIndexed(.attribute(attribute), in: entity),
      isIndexedBySpotlight: attribute.isIndexedBySpotlight,
      allowsCloudEncryption: attribute.allowsCloudEncryption,
      hasValidation: attribute.validation != AttributeDescription.Validation(),
      renamingIdentifier: attribute.renamingIdentifier,
      versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo)
    var values = self.values(of: facts, in: entity)
    values += [
      (ArchivedKey.attributeType, .integer(ArchivedCode.code(of: attribute.type))),
      (
        ArchivedKey.valueClassName,
        text(attribute.customClassName ?? ArchivedCode.valueClass(of: attribute.type))
      ),
      (ArchivedKey.defaultValue, .object(defaultValue(of: attribute))),
      (ArchivedKey.valueTransformer, text(attribute.valueTransformer)),
      (ArchivedKey.flags, .integer(flags(of: attribute))),
    ]
    if let derivation = attribute.derivation {
      values += [
        (ArchivedKey.derivation, .object(archive.expression(derivation))),
        (ArchivedKey.filter, .object(.null)),
      ]
    }
    if case .composite(let name) = attribute.type {
      values += [
        (ArchivedKey.compositeName, text(name)),
        (ArchivedKey.elements, .object(elements(of: name, in: entity))),
      ]
    }
    return values + validationValues(of: attribute)
  }

  private func flags(of attribute: AttributeDescription) -> Int64 {
    ArchivedCode.bits([
      (ArchivedCode.allowsExternalStorage, attribute.allowsExternalStorage),
      (ArchivedCode.isPreservedAfterDeletion, attribute.isPreservedAfterDeletion),
    ])
  }

  /// Writes the attributes of a composite. They are written again for each attribute of this type.
  private mutating func elements(of composite: String, in entity: EntityDescription) -> Reference {
    let attributes = model.composite(named: composite)?.attributes ?? []
    let members = attributes.map { attribute in
      archive.object(archivedClass(of: attribute), values(of: attribute, in: entity))
    }
    return archive.collection(members)
  }

  private mutating func defaultValue(of attribute: AttributeDescription) -> Reference {
    guard let value = attribute.defaultValue else { return .null }
    return archive.constant(value, as: attribute.type)
  }

  /// Returns the archived conditions for the values of an attribute, each with the error code for a value that violates
  /// it.
  private mutating func validationValues(of attribute: AttributeDescription) -> Values {
    let (validation, type) = (attribute.validation, attribute.type)
    let value = FormatExpression(.selfObject)
    let measured = type == .string ? FormatExpression.keyPath("length") : value
    let boundType = type == .string ? AttributeType.integer64 : type
    // The error codes for a value below the minimum and above the maximum, such as the code of
    // `NSValidationNumberTooSmallError`.
    let (tooSmall, tooLarge): (Int64, Int64) =
      switch type {
      case .string: (1670, 1660)
      case .date: (1640, 1630)
      default: (1620, 1610)
      }
    typealias Rule = (
      FormatExpression, FormatComparison.Operator, DataValue?, AttributeType, warning: Int64
    )
    let rules: [Rule] = [
      (measured, .greaterOrEqual, validation.minimum, boundType, tooSmall),
      (measured, .lessOrEqual, validation.maximum, boundType, tooLarge),
      (value, .matches, validation.pattern.map { .string($0) }, .string, 1680),
    ].filter { $0.2 != nil }
    guard !rules.isEmpty else { return [] }
    let predicates = rules.map { subject, symbol, bound, type, _ in
      archive.comparison(
        symbol, archive.expression(subject),
        archive.constantExpression(archive.constant(bound ?? .null, as: type)))
    }
    let warnings = rules.map { archive.plain(.integer($0.warning)) }
    return [
      (
        ArchivedKey.validationPredicates, .object(archive.collection(predicates, as: .mutableArray))
      ),
      (ArchivedKey.validationWarnings, .object(archive.collection(warnings, as: .mutableArray))),
    ]
  }

  mutating func values(of entity: EntityDescription) -> Values {
    var values: Values = [
      (ArchivedKey.entityName, text(entity.name)),
      (ArchivedKey.className, text(entity.className ?? "NSManagedObject")),
      (ArchivedKey.model, .object(root)),
      (ArchivedKey.superentity, .object(entity.parent.map { reference(to: $0) } ?? .null)),
      (ArchivedKey.subentities, .object(subentities(of: entity))),
      (ArchivedKey.properties, .object(properties(of: entity))),
      (ArchivedKey.userInfo, .object(dictionary(of: entity.userInfo))),
      (ArchivedKey.renamingIdentifier, text(entity.renamingIdentifier ?? entity.name)),
      (ArchivedKey.versionHashModifier, text(entity.versionHashModifier)),
    ]
    if entity.isAbstract { values.append((ArchivedKey.isAbstract, .boolean(true))) }
    if !entity.uniquenessConstraints.isEmpty {
      values.append((ArchivedKey.uniqueTuples, .object(names(entity.uniquenessConstraints))))
    }
    return values + indexValues(of: entity)
  }

  /// Writes lists of property names as arrays in an array.
  mutating func names(_ lists: [[String]]) -> Reference {
    let members = lists.map { list in
      archive.collection(list.map { archive.string($0) }, as: .mutableArray)
    }
    return archive.collection(members, as: .mutableArray)
  }

  private mutating func subentities(of entity: EntityDescription) -> Reference {
    archive.dictionary(model.children(of: entity).map { ($0.name, reference(to: $0.name)) })
  }

  private mutating func properties(of entity: EntityDescription) -> Reference {
    let properties = listedProperties(of: entity)
    for property in properties { fill(property, of: entity) }
    return archive.dictionary(
      properties.map { ($0.name, reference(to: $0.name, of: entity.name)) })
  }

  private mutating func fill(_ property: PropertyDescription, of entity: EntityDescription) {
    let target = reference(to: property.name, of: entity.name)
    switch property {
    case .attribute(let attribute):
      archive.fill(target, archivedClass(of: attribute), values(of: attribute, in: entity))
    case .relationship(let relationship):
      archive.fill(target, .relationship, values(of: relationship, in: entity))
    case .fetched(let fetched):
      archive.fill(target, .fetchedProperty, values(of: fetched, in: entity))
    }
  }
}

/// The common values of attributes, relationships and fetched properties.
struct PropertyFacts {
  var name: String
  var isOptional: Bool
  var isReadOnly = false
  var isTransient: Bool
  var isIndexed = false
  var isIndexedBySpotlight = false
  var allowsCloudEncryption = false
  var isOrdered = false
  var hasValidation = false
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]

  /// The number that repeats the flags of the property (docs/formats/compiled-models.md). Four of its bits are set if
  /// the property lacks a feature, such as validation.
  var bits: Int64 {
    ArchivedCode.bits([
      (1, true), (2, isOptional), (4, isReadOnly), (8, isTransient), (16, !hasValidation),
      (32, !hasValidation), (64, userInfo.isEmpty), (128, versionHashModifier == nil),
      (256, isIndexedBySpotlight), (1024, isOrdered), (2048, allowsCloudEncryption),
    ])
  }
}

extension ModelEncoder {
  /// Returns the archived values of a property. They contain only the flags that are set.
  mutating func values(of facts: PropertyFacts, in entity: EntityDescription?) -> Values {
    var values: Values = [
      (ArchivedKey.propertyName, text(facts.name)),
      (ArchivedKey.entity, .object(entity.map { reference(to: $0.name) } ?? .null)),
      (ArchivedKey.renamingIdentifier, text(facts.renamingIdentifier ?? facts.name)),
      (ArchivedKey.propertyBits, .integer(facts.bits)),
    ]
    let flags = [
      (ArchivedKey.isOptional, facts.isOptional), (ArchivedKey.isReadOnly, facts.isReadOnly),
      (ArchivedKey.isTransient, facts.isTransient), (ArchivedKey.isIndexed, facts.isIndexed),
      (ArchivedKey.isIndexedBySpotlight, facts.isIndexedBySpotlight),
      (ArchivedKey.isOrdered, facts.isOrdered),
      (ArchivedKey.allowsCloudEncryption, facts.allowsCloudEncryption),
    ]
    for (key, isSet) in flags where isSet { values.append((key, .boolean(true))) }
    if let modifier = facts.versionHashModifier {
      values.append((ArchivedKey.versionHashModifier, text(modifier)))
    }
    if !facts.userInfo.isEmpty {
      values.append((ArchivedKey.userInfo, .object(dictionary(of: facts.userInfo))))
    }
    return values
  }
}
