import StoreModel
import StorePredicate

extension CompiledModelDecoder {
  mutating func decodeAttribute(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> Attribute {
    let context = "in '\(entity).\(name)'"
    let type = try attributeType(of: object, named: name, in: entity)
    var attribute = Attribute(
      name: name, type: type, isOptional: try object.flag(ArchivedKey.isOptional),
      isTransient: try object.flag(ArchivedKey.isTransient))
    attribute.defaultValue = try defaultValue(of: object, type: type, context: context)
    attribute.validation = try validation(of: object, type: type, context: context)
    attribute.isIndexed = try optionalFlag(ArchivedKey.isIndexed, of: object, context: context)
    attribute.isIndexedBySpotlight = try optionalFlag(
      ArchivedKey.isIndexedBySpotlight, of: object, context: context)
    let flags = try object.integer(ArchivedKey.flags) ?? 0
    attribute.allowsExternalStorage = flags & ArchivedCode.allowsExternalStorage != 0
    attribute.isPreservedAfterDeletion = flags & ArchivedCode.isPreservedAfterDeletion != 0
    attribute.allowsCloudEncryption = try optionalFlag(
      ArchivedKey.allowsCloudEncryption, of: object, context: context)
    if flags & ~ArchivedCode.attributeFlags != 0 {
      keepOpaque("the flags \(flags & ~ArchivedCode.attributeFlags) are unknown", context: context)
    }
    attribute.valueTransformer = try optionalText(
      ArchivedKey.valueTransformer, of: object, context: context)
    let className = try optionalText(ArchivedKey.valueClassName, of: object, context: context)
    attribute.customClassName = className == ArchivedCode.valueClass(of: type) ? nil : className
    attribute.derivation = try derivation(of: object, context: context)
    attribute.renamingIdentifier = try renamingIdentifier(of: object, named: name)
    attribute.versionHashModifier = try object.text(ArchivedKey.versionHashModifier)
    attribute.userInfo = try userInfo(of: object, context: context)
    return attribute
  }

  private mutating func attributeType(
    of object: KeyedArchive.Object, named name: String, in entity: String
  ) throws(KeyedArchiveError) -> AttributeType {
    let key = ArchivedKey.attributeType
    guard let code = try object.integer(key) else {
      throw object.missing(key, expected: "the number of a type")
    }
    if code == ArchivedCode.composite {
      return .composite(try decodeComposite(object, named: name, of: entity))
    }
    guard let type = ArchivedCode.attributeTypes.first(where: { $0.code == code })?.type else {
      throw KeyedArchiveError(
        .unexpected("\(code)"), at: object.place(of: key), expected: "the number of a type")
    }
    return type
  }

  private mutating func defaultValue(
    of object: KeyedArchive.Object, type: AttributeType, context: String
  ) throws(KeyedArchiveError) -> Value? {
    try optionalPart("the default value \(context)") { decoder throws(KeyedArchiveError) in
      let archived = try object.value(ArchivedKey.defaultValue)
      if case .null = archived { return nil }
      if let value = try ArchivedValue.value(of: archived, as: type) { return value }
      decoder.keepOpaque("the default value is \(archived.kindName)", context: context)
      return nil
    } ?? nil
  }

  private mutating func derivation(
    of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> FormatExpression? {
    if try object.object(ArchivedKey.filter) != nil {
      keepOpaque("there is a predicate that filters what is derived", context: context)
    }
    guard let expression = try object.object(ArchivedKey.derivation) else { return nil }
    return try expressions.expression(expression)
  }
}
