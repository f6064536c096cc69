import StoreModel
import StorePredicate

extension CompiledModelDecoder {
  /// Reads the minimum, the maximum and the regular expression of an attribute from the predicates that Xcode creates
  /// for them.
  mutating func validation(
    of object: KeyedArchive.Object, type: AttributeType, context: String
  ) throws(KeyedArchiveError) -> AttributeDescription.Validation {
    var validation = AttributeDescription.Validation()
    let predicates = try optionalPart("the validation \(context)") {
      decoder throws(KeyedArchiveError) in
      let predicates = try object.objects(
        ArchivedKey.validationPredicates, expected: "a predicate")
      try decoder.count(predicates.count)
      return predicates
    }
    for archived in predicates ?? [] {
      let predicate = try optionalPart("a validation \(context)") {
        decoder throws(KeyedArchiveError) in try decoder.expressions.predicate(archived)
      }
      for condition in predicate?.conditions ?? []
      where !validation.take(condition, type: type) {
        keepOpaque(
          "the validation '\(condition.format)' isn't a bound or a pattern", context: context)
      }
    }
    return validation
  }
}

extension FormatPredicate {
  /// The conditions that must all be true.
  fileprivate var conditions: [FormatPredicate] {
    if case .and(let members) = self { members } else { [self] }
  }
}

extension AttributeDescription.Validation {
  /// Stores a condition as the minimum, the maximum or the pattern. Returns false if it isn't such a condition, or if a
  /// condition of this type is already stored.
  fileprivate mutating func take(_ condition: FormatPredicate, type: AttributeType) -> Bool {
    guard case .comparison(let comparison) = condition, comparison.modifier == .direct,
      comparison.options.isEmpty, case .constant(let value) = comparison.right.kind,
      let side = Side(comparison.left)
    else { return false }
    let isBound = side == (type == .string ? .length : .value)
    switch comparison.operator {
    case .greaterOrEqual where isBound && minimum == nil:
      minimum = bound(value, type: type)
      return minimum != nil
    case .lessOrEqual where isBound && maximum == nil:
      maximum = bound(value, type: type)
      return maximum != nil
    case .matches where side == .value && pattern == nil:
      guard case .string(let text) = value else { return false }
      pattern = text
      return true
    default: return false
    }
  }

  /// The subject of a condition: the value, or the length of a text.
  private enum Side {
    case value, length

    init?(_ expression: FormatExpression) {
      switch expression.kind {
      case .selfObject: self = .value
      case .keyPath(let base, let steps) where base.kind == .selfObject && steps.count == 1:
        guard steps[0].kind == .key("length") else { return nil }
        self = .length
      case .function(.length, let arguments) where arguments.map(\.kind) == [.selfObject]:
        self = .length
      default: return nil
      }
    }
  }

  /// Returns the bound that a model in XML would have. In XML, a whole number is an integer, regardless of the
  /// attribute's type.
  private func bound(_ value: DataValue, type: AttributeType) -> DataValue? {
    switch (type, value) {
    case (.date, .date): value
    case (.integer16, _), (.integer32, _), (.integer64, _), (.decimal, _), (.double, _),
      (.float, _), (.string, _):
      switch value {
      case .integer: value
      case .double(let number): Int64(exactly: number).map { .integer($0) } ?? value
      default: nil
      }
    default: nil
    }
  }
}

extension CompiledModelDecoder {
  mutating func decodeRelationship(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> RelationshipDescription {
    let maximum = try object.integer(ArchivedKey.maximumCount) ?? 0
    let minimum = try object.integer(ArchivedKey.minimumCount) ?? 0
    let isOrdered = try object.flag(ArchivedKey.isOrdered)
    let isToOne = maximum == 1
    let context = "in '\(entity).\(name)'"
    return RelationshipDescription(
      name: name, destination: try destination(of: object), inverse: try inverseName(of: object),
      cardinality: isToOne ? .toOne : .toMany(ordered: isOrdered),
      isOptional: try object.flag(ArchivedKey.isOptional),
      isTransient: try object.flag(ArchivedKey.isTransient),
      minimumCount: minimum == 0 ? nil : Int(minimum),
      // The archived maximum 0 means that the number isn't limited. Xcode's XML omits the maximum in this case.
      maximumCount: maximum == 0 ? nil : Int(maximum), isOrderedToOne: isToOne && isOrdered,
      deleteRule: try object.meaning(
        ArchivedKey.deleteRule, among: ArchivedCode.deleteRules,
        expected: "the number of a delete rule"),
      isIndexed: try optionalFlag(ArchivedKey.isIndexed, of: object, context: context),
      renamingIdentifier: try renamingIdentifier(of: object, named: name),
      versionHashModifier: try object.text(ArchivedKey.versionHashModifier),
      userInfo: try userInfo(of: object, context: context))
  }

  private func destination(of object: KeyedArchive.Object) throws(KeyedArchiveError) -> String {
    if let name = try entityName(ArchivedKey.destination, of: object) { return name }
    let key = ArchivedKey.destinationName
    let name = try object.requiredText(key)
    guard entities[name] != nil else {
      throw object.unexpected("'\(name)'", at: key, expected: "an entity of the model")
    }
    return name
  }

  private func inverseName(of object: KeyedArchive.Object) throws(KeyedArchiveError) -> String? {
    if let inverse = try object.object(ArchivedKey.inverse) {
      return try inverse.requiredText(ArchivedKey.propertyName)
    }
    return try object.text(ArchivedKey.inverseName)
  }

  /// Throws an error if an inverse isn't a relationship of the destination or of one of its ancestors.
  func checkInverses(of decoded: [EntityDescription]) throws(KeyedArchiveError) {
    let relationships = Dictionary(
      decoded.map { ($0.name, Set($0.relationships.map(\.name))) },
      uniquingKeysWith: { $0.union($1) })
    for entity in decoded {
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse else { continue }
        let owners =
          [relationship.destination] + ancestors(of: relationship.destination).map(\.name)
        guard owners.contains(where: { relationships[$0]?.contains(inverse) == true }) else {
          let object = entities[entity.name]?.properties[relationship.name]
          throw KeyedArchiveError(
            .unexpected("'\(inverse)'"),
            at: object?.place(of: ArchivedKey.inverse) ?? "",
            expected: "a relationship of '\(relationship.destination)'")
        }
      }
    }
  }

  mutating func decodeFetchedProperty(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> FetchedProperty {
    let context = "in fetched property '\(name)'"
    let request = try decodeRequest(
      try object.requiredObject(ArchivedKey.fetchRequest), name: "fetchedPropertyFetchRequest",
      entityName: try object.text(ArchivedKey.fetchRequestEntityName), context: context)
    return FetchedProperty(
      name: name, request: request, userInfo: try userInfo(of: object, context: context))
  }
}
