import StoreModel
import StorePredicate

extension CompiledModelDecoder {
  /// Returns the indexes of an entity as the model source declares them, and corrects `isIndexed` of its properties.
  ///
  /// Newer versions of Core Data archive an index in several ways: a fetch index of one property also makes the
  /// property indexed, an indexed property also has a fetch index with its name, and an index of several attributes is
  /// also a compound index (docs/formats/compiled-models.md). Version hashes and rows don't depend on indexes, so an
  /// index that can't be read is omitted.
  mutating func decodeIndexes(
    of object: KeyedArchive.Object, entity: String, own: inout OwnProperties
  ) throws(KeyedArchiveError) -> [FetchIndex] {
    let found = try fetchIndexes(of: object, entity: entity)
    let isIndexed = own.indexedNames
    let isImplied = { (index: FetchIndex) in
      index.singleProperty.map { $0 == index.name && isIndexed.contains($0) } ?? false
    }
    let kept = found.filter { !isImplied($0) }
    own.clearIndexed(Set(kept.compactMap(\.singleProperty)))
    let known = Set(kept.compactMap(\.listedNames))
    return kept.map(\.asCompound)
      + (try compoundIndexes(of: object, entity: entity, besides: known))
  }

  private mutating func fetchIndexes(
    of object: KeyedArchive.Object, entity: String
  ) throws(KeyedArchiveError) -> [FetchIndex] {
    let archived = try optionalPart("the list of indexes of '\(entity)'") {
      _ throws(KeyedArchiveError) in
      try object.objects(ArchivedKey.fetchIndexes, expected: "an index")
    }
    var indexes: [FetchIndex] = []
    var byName: [String: FetchIndex] = [:]
    for archived in archived ?? [] {
      let index = try optionalPart("an index of '\(entity)'") {
        decoder throws(KeyedArchiveError) in
        try decoder.decodeFetchIndex(archived, entity: entity)
      }
      guard let index = index ?? nil else { continue }
      // Core Data archives an index twice if a property has the flag `isIndexed` and a fetch index with its name.
      guard let known = byName[index.name] else {
        byName[index.name] = index
        indexes.append(index)
        continue
      }
      if known != index {
        leaveOut(
          "a second index '\(index.name)' of '\(entity)'",
          because: "the first one of that name has other elements")
      }
    }
    return indexes
  }

  /// Returns the compound indexes. Each is archived as a list of property names without the name of the index.
  ///
  /// - Parameter known: The lists of names that belong to fetch indexes and are skipped.
  private mutating func compoundIndexes(
    of object: KeyedArchive.Object, entity: String, besides known: Set<[String]>
  ) throws(KeyedArchiveError) -> [FetchIndex] {
    let lists = try optionalPart("the compound indexes of '\(entity)'") {
      _ throws(KeyedArchiveError) in
      try object.objects(ArchivedKey.compoundIndexes, expected: "a list of properties")
    }
    var indexes: [FetchIndex] = []
    for list in lists ?? [] {
      let names = try optionalPart("a compound index of '\(entity)'") {
        decoder throws(KeyedArchiveError) in
        let names = try decoder.names(in: list)
        // The list of a fetch index can contain expressions, so it is skipped before the names are checked.
        guard !known.contains(names) else { return [String]() }
        for name in names { try decoder.requireProperty(name, of: entity, at: list.place) }
        return names
      }
      guard let names, !names.isEmpty else { continue }
      indexes.append(
        FetchIndex(
          name: "", elements: names.map { .init(.property($0)) }, origin: .compoundIndex))
    }
    return indexes
  }

  /// Decodes an index. If its content can't be read, adds a warning and returns nil.
  private mutating func decodeFetchIndex(
    _ object: KeyedArchive.Object, entity: String
  ) throws(KeyedArchiveError) -> FetchIndex? {
    try require(object, .fetchIndex)
    let name = try object.requiredText(ArchivedKey.indexName)
    return try optionalPart("the index '\(name)' of '\(entity)'") {
      decoder throws(KeyedArchiveError) in
      try decoder.decodeFetchIndex(object, named: name, entity: entity)
    }
  }

  private mutating func decodeFetchIndex(
    _ object: KeyedArchive.Object, named name: String, entity: String
  ) throws(KeyedArchiveError) -> FetchIndex {
    var index = FetchIndex(name: name, elements: [])
    if let predicate = try object.object(ArchivedKey.partialPredicate) {
      index.partialPredicate = try expressions.predicate(predicate).format
    }
    let elements = try object.objects(ArchivedKey.indexElements, expected: "an element of an index")
    try count(elements.count + 1)
    for element in elements {
      index.elements.append(try decodeElement(element, entity: entity))
    }
    return index
  }

  private mutating func decodeElement(
    _ object: KeyedArchive.Object, entity: String
  ) throws(KeyedArchiveError) -> FetchIndex.Element {
    try require(object, .fetchIndexElement)
    let kind = try object.meaning(
      ArchivedKey.indexElementType, among: ArchivedCode.indexKinds,
      expected: "the number of an index's kind")
    return FetchIndex.Element(
      try target(of: object, entity: entity), kind: kind,
      isAscending: try object.flag(ArchivedKey.isAscending))
  }

  private mutating func target(
    of object: KeyedArchive.Object, entity: String
  ) throws(KeyedArchiveError) -> FetchIndex.Element.Target {
    let description = try object.object(ArchivedKey.indexedProperty)
    // The element of an expression refers to a property that doesn't belong to an entity. The property's name, such as
    // `expression1`, is generated.
    guard let description, try description.className == ClassChain.expressionDescription.name else {
      let name = try object.requiredText(ArchivedKey.propertyName)
      try requireProperty(name, of: entity, at: object.place(of: ArchivedKey.propertyName))
      return .property(name)
    }
    let expression = try description.requiredObject(ArchivedKey.indexedExpression)
    let code = try description.integer(ArchivedKey.expressionResultType) ?? 0
    let type = ArchivedCode.attributeTypes.meaning(of: code) ?? .undefined
    return .expression(try expressions.expression(expression).format, type: type)
  }
}

extension CompiledModelDecoder.OwnProperties {
  fileprivate var indexedNames: Set<String> {
    Set(
      attributes.filter(\.isIndexed).map(\.name) + relationships.filter(\.isIndexed).map(\.name))
  }

  /// Clears `isIndexed` of the properties `names`, which is set only because they have a fetch index.
  fileprivate mutating func clearIndexed(_ names: Set<String>) {
    for position in attributes.indices where names.contains(attributes[position].name) {
      attributes[position].isIndexed = false
    }
    for position in relationships.indices where names.contains(relationships[position].name) {
      relationships[position].isIndexed = false
    }
  }
}

extension FetchIndex {
  /// The list of names that represents the index in the archived compound indexes, or nil if the index can't be a
  /// compound index.
  fileprivate var listedNames: [String]? {
    elements.allSatisfy { $0.kind == .binary } ? elements.map(\.target.listedName) : nil
  }

  /// The names of the indexed properties, or nil if an element is an expression or part of an R-tree.
  fileprivate var propertyNames: [String]? {
    let names = elements.compactMap { element in
      if case .property(let name) = element.target, element.kind == .binary { name } else { nil }
    }
    return names.count == elements.count ? names : nil
  }

  /// The name of the property, if this is an ascending index of one property without a predicate.
  var singleProperty: String? {
    guard elements.count == 1, elements[0].isAscending, partialPredicate == nil else { return nil }
    return propertyNames?.first
  }

  /// The compound index without a name, if the name of this index consists of its properties' names. Otherwise, the
  /// index itself.
  fileprivate var asCompound: FetchIndex {
    guard elements.count > 1, partialPredicate == nil, elements.allSatisfy(\.isAscending),
      let names = propertyNames, names.joined(separator: "_") == name
    else { return self }
    return FetchIndex(name: "", elements: elements, origin: .compoundIndex)
  }
}

extension FetchIndex.Element.Target {
  /// The name in a list of compound indexes. The row itself has the name `self` (docs/formats/compiled-models.md,
  /// "Indexes").
  var listedName: String {
    switch self {
    case .property(let name): name
    case .expression(Self.rowItself, _): "self"
    case .expression(let text, _): text
    }
  }

  private static let rowItself = "SELF"
}
