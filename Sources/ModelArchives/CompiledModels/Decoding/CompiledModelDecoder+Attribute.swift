import StoreDiagnostics
import StoreModel
import StorePredicate

extension CompiledModelDecoder {
  mutating func decodeAttribute(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> AttributeDescription {
    let context = "in '\(entity).\(name)'"
    let type = try attributeType(of: object, named: name, in: entity)
    var attribute = AttributeDescription(
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
    let (key, expected) = (ArchivedKey.attributeType, "the number of a type")
    guard let code = try object.integer(key) else { throw object.missing(key, expected: expected) }
    if code == ArchivedCode.composite {
      return .composite(try decodeComposite(object, named: name, of: entity))
    }
    return try object.meaning(key, among: ArchivedCode.attributeTypes, expected: expected)
  }

  private mutating func defaultValue(
    of object: KeyedArchive.Object, type: AttributeType, context: String
  ) throws(KeyedArchiveError) -> DataValue? {
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
      keepOpaque("a predicate filters the derived values", context: context)
    }
    guard let expression = try object.object(ArchivedKey.derivation) else { return nil }
    return try expressions.expression(expression)
  }
}

/// Functions for optional parts: parts of a model on which version hashes and rows don't depend.
extension CompiledModelDecoder {
  /// Reads an optional part. If it is unknown or damaged, adds a warning and returns nil.
  ///
  /// - Parameter what: The description of the part, such as `the index 'byName' of 'Person'`.
  /// - Throws: `KeyedArchiveError` if the error concerns the whole archive, such as too many parts.
  mutating func optionalPart<Part>(
    _ what: String, _ read: (inout Self) throws(KeyedArchiveError) -> Part
  ) throws(KeyedArchiveError) -> Part? {
    do {
      return try read(&self)
    } catch {
      guard !error.concernsArchive else { throw error }
      leaveOut(what, because: error.reason)
      return nil
    }
  }

  mutating func leaveOut(_ what: String, because reason: String) {
    diagnostics.append(
      DiagnosticMessage(.warning, CompiledModel.omissionCode, "\(what) is omitted: \(reason)"))
  }

  /// Returns the entries of a dictionary of optional parts. If the dictionary is damaged, adds a warning and returns an
  /// empty array.
  mutating func optionalEntries(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [(key: String, value: KeyedArchive.Value)] {
    try optionalPart("'\(key)'") { _ throws(KeyedArchiveError) in try object.entries(key) } ?? []
  }

  mutating func optionalText(
    _ key: String, of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> String? {
    try optionalPart("'\(key)' \(context)") { _ throws(KeyedArchiveError) in
      try object.text(key)
    } ?? nil
  }

  mutating func optionalFlag(
    _ key: String, of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> Bool {
    try optionalPart("'\(key)' \(context)") { _ throws(KeyedArchiveError) in
      try object.flag(key)
    } ?? false
  }
}

extension KeyedArchiveError {
  /// Whether the error concerns the whole archive, not only the current part.
  fileprivate var concernsArchive: Bool {
    switch cause {
    case .notAnArchive, .tooLarge, .entangled: true
    case .missing, .unexpected, .dangling, .damaged, .tooManyValues, .tooDeep: false
    }
  }
}

extension KeyedArchive.Object {
  /// Returns the error for a duplicate name.
  ///
  /// - Parameter key: The key whose value contains the names, or nil if the object itself contains them.
  func secondName(_ name: String, at key: String? = nil) -> KeyedArchiveError {
    unexpected("a second '\(name)'", at: key, expected: "each name once")
  }
}

extension CompiledModelDecoder {
  /// Reads a template of the model, or the request of a fetched property.
  mutating func decodeRequest(
    _ object: KeyedArchive.Object, name: String, entityName given: String?, context: String
  ) throws(KeyedArchiveError) -> FetchRequestTemplate {
    try require(object, .fetchRequest)
    try count(1)
    guard let entity = try entityName(ArchivedKey.entity, of: object) ?? given,
      entities[entity] != nil
    else { throw object.missing(ArchivedKey.entity, expected: "an entity of the model") }
    let flags = try object.integer(ArchivedKey.fetchRequestFlags) ?? RequestFlags.usual
    if flags & ~RequestFlags.known != 0 {
      keepOpaque("the flags \(flags & ~RequestFlags.known) are unknown", context: context)
    }
    var template = FetchRequestTemplate(
      name: name, entity: entity, limit: try number(ArchivedKey.fetchLimit, of: object),
      batchSize: try number(ArchivedKey.batchSize, of: object),
      includesSubentities: flags & RequestFlags.includesSubentities != 0,
      includesPropertyValues: flags & RequestFlags.includesPropertyValues != 0,
      returnsObjectsAsFaults: flags & RequestFlags.returnsObjectsAsFaults != 0,
      returnsDistinctResults: flags & RequestFlags.returnsDistinctResults != 0,
      includesPendingChanges: flags & RequestFlags.includesPendingChanges != 0,
      resultType: try resultType(of: object))
    if let predicate = try object.object(ArchivedKey.predicate) {
      let text = PredicateText(try expressions.predicate(predicate).format, context: context)
      template.predicateText = text
      do throws(DiagnosticError) {
        template.predicate = try text.predicate()
      } catch {
        template.faults = error.diagnostics
      }
    }
    try noteRest(of: object, context: context)
    return template
  }

  private func number(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> Int {
    let number = try object.integer(key) ?? 0
    guard let limit = Int(exactly: number), limit >= 0 else {
      throw object.unexpected("\(number)", at: key, expected: "a number of rows")
    }
    return limit
  }

  private func resultType(
    of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FetchRequestTemplate.ResultType {
    let key = ArchivedKey.resultType
    let code = try object.integer(key) ?? 0
    guard let type = Int(exactly: code).flatMap(FetchRequestTemplate.ResultType.init) else {
      throw object.unexpected("\(code)", at: key, expected: "the number of a result type")
    }
    return type
  }

  /// Adds a warning for each feature that a request in code can have, but a request in model XML can't.
  private mutating func noteRest(
    of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) {
    if try number(ArchivedKey.fetchOffset, of: object) != 0 {
      keepOpaque("an offset is set", context: context)
    }
    for (key, name) in RequestFlags.restKeys {
      guard let value = try object.object(key) else { continue }
      if value.isArray(try value.className), try value.members.isEmpty { continue }
      keepOpaque("there are \(name)", context: context)
    }
  }
}

/// The bits in the flags of a request.
///
/// Known archives contain only the value 30, which belongs to a request with default options: four options are true.
/// The bits are assumed to have the order of the options in the documentation of `NSFetchRequest`.
enum RequestFlags {
  static let returnsDistinctResults: Int64 = 1
  static let includesSubentities: Int64 = 2
  static let includesPropertyValues: Int64 = 4
  static let returnsObjectsAsFaults: Int64 = 8
  static let includesPendingChanges: Int64 = 16
  static let usual: Int64 = 30
  static let known: Int64 = 31

  fileprivate static let restKeys = [
    (ArchivedKey.sortDescriptors, "sort descriptors"),
    (ArchivedKey.valuesToFetch, "properties to fetch"),
    (ArchivedKey.valuesToGroupBy, "properties to group by"),
    (ArchivedKey.havingPredicate, "conditions for groups"),
    (ArchivedKey.prefetching, "key paths to prefetch"),
  ]
}
