import Foundation
import SeededRandom
import StoreModel
import StoreModelReader
import ModelTools
import StorePredicate
import Testing

/// Every model can be restored from its XML.
///
///     MODEL_XML_SEEDS=17 swift test --filter RandomModelTests           one again
struct RandomModelTests {
  @Test(arguments: Seeds.named("MODEL_XML_SEEDS", otherwise: 1...200))
  func isReadBack(_ seed: UInt64) throws {
    var draw = RandomModel(seed: seed)
    let model = draw.model()
    let text = try ModelXML.text(of: model)
    let again = try ModelReading.read(text, name: model.name).model
    #expect(again.withoutPlaces == model, "seed \(seed):\n\(text)")
    #expect(try ModelXML.text(of: again) == text, "seed \(seed)")
  }
}

/// Generates a model with any data that XML can represent.
private struct RandomModel {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func model() -> DataModel {
    let names = (0...random.below(5)).map { "\(word())\($0)" }
    return DataModel(
      name: "Random", versionIdentifiers: [random.pick(["", "1.0", "a\"b"])],
      entities: names.indices.map { entity(names, $0) },
      templates: (0..<random.below(4)).map { template("template\($0)", names) },
      configurations: (0..<random.below(3)).map { number in
        ConfigurationDescription(name: "c\(number)", entities: names.filter { _ in flip() })
      },
      composites: [
        CompositeDescription(
          name: "Point", attributes: (0..<random.below(4)).map { attribute("p\($0)") })
      ])
  }

  private mutating func entity(_ names: [String], _ index: Int) -> EntityDescription {
    let attributes = (0..<random.below(6)).map { attribute("\(word())\(index)a\($0)") }
    let relationships = (0..<random.below(4)).map {
      relationship("\(word())\(index)r\($0)", names)
    }
    let properties = attributes.map(\.name) + relationships.map(\.name)
    return EntityDescription(
      name: names[index], parent: index > 0 && flip() ? names[random.below(index)] : nil,
      isAbstract: flip(), className: maybe { $0.word() },
      codeGeneration: random.pick([nil, "class", "category"]), attributes: attributes,
      relationships: relationships,
      fetchedProperties: (0..<random.below(2)).map { number in
        FetchedProperty(
          name: "\(index)f\(number)", request: template("fetchedPropertyFetchRequest", names),
          userInfo: userInfo())
      },
      indexes: properties.isEmpty ? [] : (0..<random.below(4)).map { fetchIndex($0, properties) },
      uniquenessConstraints: properties.isEmpty
        ? [] : (0..<random.below(3)).map { _ in [random.pick(properties)] },
      renamingIdentifier: maybe { $0.word() }, versionHashModifier: maybe { $0.word() },
      userInfo: userInfo())
  }

  private mutating func attribute(_ name: String) -> AttributeDescription {
    let type = random.pick(AttributeType.named.map(\.type))
    return AttributeDescription(
      name: name, type: type, isOptional: flip(), isTransient: flip(),
      defaultValue: maybe { $0.value(of: type) } ?? nil, validation: validation(of: type),
      isIndexed: flip(), allowsExternalStorage: flip(), isPreservedAfterDeletion: flip(),
      allowsCloudEncryption: flip(), isIndexedBySpotlight: flip(), usesScalarValueType: flip(),
      valueTransformer: maybe { $0.word() }, customClassName: maybe { $0.word() },
      derivation: maybe { _ in FormatExpression(.function(.now, [])) },
      renamingIdentifier: maybe { $0.word() }, versionHashModifier: maybe { $0.word() },
      userInfo: userInfo())
  }

  /// Returns a default value; nil for types whose defaults XML can't represent.
  private mutating func value(of type: AttributeType) -> DataValue? {
    switch type {
    case .integer16: .integer(Int64(Int16(truncatingIfNeeded: random.next())))
    case .integer32: .integer(Int64(Int32(truncatingIfNeeded: random.next())))
    case .integer64: .integer(Int64(truncatingIfNeeded: random.next()))
    case .decimal: flip() ? .integer(Int64(random.below(100))) : .double(number())
    case .double: .double(number())
    case .float: .double(Double(Float(number())))
    case .boolean: .boolean(flip())
    case .date: .date(number())
    case .string, .uri: .string(word())
    case .uuid: .uuid(.init(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    case .undefined, .binary, .transformable, .objectID, .composite: nil
    }
  }

  private mutating func number() -> Double {
    let number = Double(Int64(truncatingIfNeeded: random.next())) / 4096
    return flip() ? number.rounded() : number
  }

  private mutating func validation(of type: AttributeType) -> AttributeDescription.Validation {
    let isNumber = [.integer16, .integer64, .decimal, .double, .float].contains(type)
    let bounds = (0..<2).map { _ -> DataValue? in
      guard flip() else { return nil }
      if type == .date { return .date(number()) }
      guard isNumber || type == .string else { return nil }
      return flip() ? .integer(Int64(random.below(9))) : .double(number())
    }
    return .init(minimum: bounds[0], maximum: bounds[1], pattern: maybe { $0.word() })
  }

  private mutating func relationship(_ name: String, _ entities: [String])
    -> RelationshipDescription
  {
    RelationshipDescription(
      name: name, destination: random.pick(entities),
      cardinality: random.pick([.toOne, .toMany(ordered: false), .toMany(ordered: true)]),
      isOptional: flip(), isTransient: flip(), minimumCount: maybe { $0.random.below(3) },
      maximumCount: maybe { $0.random.below(3) },
      deleteRule: random.pick(RelationshipDescription.DeleteRule.allCases), isIndexed: flip(),
      renamingIdentifier: maybe { $0.word() }, versionHashModifier: maybe { $0.word() },
      userInfo: userInfo())
  }

  private mutating func fetchIndex(_ number: Int, _ properties: [String]) -> FetchIndex {
    let names = (0...random.below(3)).map { _ in random.pick(properties) }
    guard flip() else {
      return FetchIndex(
        name: "", elements: names.map { .init(.property($0)) }, origin: .compoundIndex)
    }
    let elements = names.map { name in
      FetchIndex.Element(
        flip() ? .property(name) : .expression(word(), type: random.pick([.undefined, .string])),
        kind: random.pick([.binary, .rTree]), isAscending: flip())
    }
    return FetchIndex(name: "i\(number)", elements: elements, partialPredicate: maybe { $0.word() })
  }

  private mutating func template(_ name: String, _ entities: [String]) -> FetchRequestTemplate {
    let isLimited = flip()
    return FetchRequestTemplate(
      name: name, entity: random.pick(entities),
      predicateText: isLimited ? PredicateText("TRUEPREDICATE") : nil,
      predicate: isLimited ? .constant(true) : nil, limit: random.below(3),
      batchSize: random.below(3), includesSubentities: flip(), includesPropertyValues: flip(),
      returnsObjectsAsFaults: flip(), returnsDistinctResults: flip(),
      includesPendingChanges: flip(),
      resultType: random.pick([.objects, .objectIDs, .dictionaries, .count]))
  }

  private mutating func userInfo() -> [String: String] {
    var entries: [String: String] = [:]
    for _ in 0..<random.below(3) { entries[word()] = flip() ? "" : word() }
    return entries
  }

  private mutating func word() -> String {
    random.pick(["a", "B", "item10", "item9", "a b", "é", "\n", "<&>", "\"'\"", "\t\r", "]]>", "-"])
  }

  private mutating func flip() -> Bool { random.below(2) == 0 }

  private mutating func maybe<Part>(_ draw: (inout RandomModel) -> Part) -> Part? {
    flip() ? draw(&self) : nil
  }
}
