import Foundation
import StoreDiagnostics
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import ModelArchives

struct EncodingTests {
  private let model: DataModel

  init() throws {
    model = try Self.library()
  }

  @Test func classesAndKeysOfAFile() throws {
    try Golden.expect(
      ArchiveGraph(EncodedModel(model).bytes).outline, matches: "library.mom.txt")
  }

  /// Inherited properties are copied, and a flag for an index has become an index.
  @Test func classesAndKeysOfAStore() throws {
    try Golden.expect(
      ArchiveGraph(EncodedModel(model, as: .store).bytes).outline, matches: "library.store.txt")
  }

  @Test func theSameModelGivesTheSameBytes() throws {
    let again = try Self.library()
    for form in [EncodedModel.Form.file, .store] {
      #expect(EncodedModel(model, as: form).bytes == EncodedModel(again, as: form).bytes)
    }
  }

  @Test func whatWasEncodedIsDecoded() throws {
    for form in [EncodedModel.Form.file, .store] {
      let encoded = EncodedModel(model, as: form)
      let reading = try CompiledModel.decode(encoded.bytes, name: "Library")
      #expect(reading.diagnostics.map(\.message) == [])
      #expect(EncodedModel(reading.model, as: form).bytes == encoded.bytes)
    }
  }

  /// For Swift, the identifier and the name are equal texts.
  @Test func identifiersKeepTheirSpelling() throws {
    var attribute = AttributeDescription(name: "caf\u{e9}", type: .string)
    attribute.renamingIdentifier = "cafe\u{301}"
    let model = DataModel(
      name: "M", entities: [EntityDescription(name: "E", attributes: [attribute])])
    for form in [EncodedModel.Form.file, .store] {
      let decoded = try CompiledModel.decode(EncodedModel(model, as: form).bytes, name: "M").model
      let found = try #require(decoded.entities.first?.attributes.first)
      #expect(found.name.isExactly("caf\u{e9}"))
      #expect(found.renamingIdentifier.map { $0.isExactly("cafe\u{301}") } == true)
    }
  }

  @Test func expressionsGoThereAndBack() throws {
    let texts = [
      "name == 'Ada' AND NOT age < 3", "name != $NAME OR age >= 2.5", "TRUEPREDICATE",
      "ANY loans.book.title BEGINSWITH[cd] 'A'", "ALL loans.days <= 3", "name IN {'a', 'b'}",
      "name CONTAINS[c] 'x' OR name ENDSWITH 'y' OR name LIKE '*a?' OR name MATCHES 'a.*'",
      "age BETWEEN {1, 5}", "SUBQUERY(loans, $l, $l.days > 3).@count > 1", "age + 2 * 3 == 7 - age",
      "CAST(age, 'NSString') == '1'", "uppercase:(name) == 'ADA'",
      "a UNION b == c INTERSECT d", "loans.@max.days == 3", "$FETCH_SOURCE.name == name",
      "TERNARY(age > 3, 1, 2) == 1", "SELF == nil", "flag == YES", "born < CAST(3.5, 'NSDate')",
    ]
    for text in texts {
      let predicate = try FormatPredicate(parsing: text)
      var request = FetchRequestTemplate(name: "t", entity: "E", predicate: predicate)
      request.predicateText = PredicateText(text)
      let model = DataModel(
        name: "M", entities: [EntityDescription(name: "E")], templates: [request])
      let decoded = try CompiledModel.decode(EncodedModel(model).bytes, name: "M").model
      #expect(decoded.template(named: "t")?.predicate?.format == predicate.format)
    }
  }

  @Test func partsThatCannotBeReadAreLeftOut() {
    let faulty = FetchRequestTemplate(
      name: "faulty", entity: "E", predicateText: PredicateText("name =="))
    let index = FetchIndex(
      name: "i", elements: [.init(.property("a"))], partialPredicate: "a ==")
    let entity = EntityDescription(
      name: "E", attributes: [AttributeDescription(name: "a", type: .string)], indexes: [index])
    let model = DataModel(name: "M", entities: [entity], templates: [faulty])
    let parts = EncodedModel(model).omissions.map(\.part)
    #expect(parts == [.index("i", of: "E"), .template("faulty")])
  }

  @Test func versionInfoIsReadByFoundation() throws {
    let info = VersionInfo(
      currentVersion: "Library 2",
      hashes: ["Library": ["Person": [1, 2, 3]], "Library 2": ["Person": [4], "Book": []]])
    let list = try PropertyListSerialization.propertyList(from: Data(info.bytes), format: nil)
    let facts = try #require(list as? [String: Any])
    #expect(facts["NSManagedObjectModel_CurrentVersionName"] as? String == "Library 2")
    let hashes = facts["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
    #expect(hashes?["Library"] == ["Person": Data([1, 2, 3])])
    #expect(try VersionInfo(info.bytes) == info)
    let again = VersionInfo(
      currentVersion: "Library 2",
      hashes: ["Library 2": ["Book": [], "Person": [4]], "Library": ["Person": [1, 2, 3]]])
    #expect(again.bytes == info.bytes)
  }
}

extension EncodingTests {
  /// A model with all kinds of data that an archive can contain.
  private static func library() throws -> DataModel {
    DataModel(
      name: "Library", versionIdentifiers: ["2"],
      entities: [try person(), employee, try book(), loan],
      templates: [
        FetchRequestTemplate(
          name: "thick", entity: "Book", predicateText: PredicateText("pages > $PAGES"),
          predicate: try FormatPredicate(parsing: "pages > $PAGES"), limit: 10, batchSize: 5,
          includesSubentities: false, returnsDistinctResults: true, resultType: .dictionaries)
      ],
      configurations: [ConfigurationDescription(name: "Cloud", entities: ["Book", "Loan"])],
      composites: [
        CompositeDescription(
          name: "Address",
          attributes: [
            AttributeDescription(name: "city", type: .string),
            AttributeDescription(name: "zip", type: .integer32),
          ])
      ])
  }

  private static func person() throws -> EntityDescription {
    let validated = AttributeDescription.Validation(
      minimum: .integer(1), maximum: .integer(80), pattern: "[A-Z].*")
    return EntityDescription(
      name: "Person", isAbstract: true, className: "LibraryPerson",
      attributes: [
        AttributeDescription(name: "name", type: .string, validation: validated, isIndexed: true),
        AttributeDescription(name: "home", type: .composite("Address"), isOptional: true),
        AttributeDescription(
          name: "photo", type: .binary, isOptional: true, allowsExternalStorage: true,
          isPreservedAfterDeletion: true, userInfo: ["source": "camera"]),
      ],
      relationships: [
        RelationshipDescription(
          name: "loans", destination: "Loan", inverse: "person",
          cardinality: .toMany(ordered: true), isOptional: true, maximumCount: 5,
          deleteRule: .cascade)
      ],
      fetchedProperties: [
        FetchedProperty(
          name: "namesakes",
          request: FetchRequestTemplate(
            name: "fetchedPropertyFetchRequest", entity: "Person",
            predicateText: PredicateText("name == $FETCH_SOURCE.name"),
            predicate: try FormatPredicate(parsing: "name == $FETCH_SOURCE.name")))
      ],
      uniquenessConstraints: [["name"]], renamingIdentifier: "Human")
  }

  private static let employee = EntityDescription(
    name: "Employee", parent: "Person",
    attributes: [
      AttributeDescription(name: "salary", type: .decimal, defaultValue: .double(1234.5)),
      AttributeDescription(name: "isActive", type: .boolean, defaultValue: .boolean(true)),
      AttributeDescription(name: "level", type: .double, defaultValue: .integer(2)),
    ],
    versionHashModifier: "1")

  private static func book() throws -> EntityDescription {
    EntityDescription(
      name: "Book", className: "Book",
      attributes: [
        AttributeDescription(name: "title", type: .string, defaultValue: .string("Untitled")),
        AttributeDescription(
          name: "pages", type: .integer16, defaultValue: .integer(0),
          validation: .init(minimum: .integer(0)), isIndexedBySpotlight: true),
        AttributeDescription(
          name: "printed", type: .date, isOptional: true, defaultValue: .date(3600)),
        AttributeDescription(
          name: "cover", type: .transformable, isOptional: true,
          valueTransformer: "NSSecureUnarchiveFromData", customClassName: "Cover"),
        AttributeDescription(
          name: "loanCount", type: .integer64, isOptional: true,
          derivation: try FormatExpression(parsing: "loans.@count")),
        AttributeDescription(
          name: "scratch", type: .undefined, isOptional: true, isTransient: true),
      ],
      relationships: [
        RelationshipDescription(
          name: "loans", destination: "Loan", inverse: "book", cardinality: .toMany(ordered: false),
          isOptional: true)
      ],
      indexes: [
        FetchIndex(
          name: "byTitle", elements: [.init(.property("title"), isAscending: false)],
          partialPredicate: "pages > 100"),
        FetchIndex(name: "byPages", elements: [.init(.property("pages"))]),
        FetchIndex(
          name: "", elements: [.init(.property("title")), .init(.property("pages"))],
          origin: .compoundIndex),
        FetchIndex(
          name: "lower", elements: [.init(.expression("lowercase:(title)", type: .string))]),
      ])
  }

  private static let loan = EntityDescription(
    name: "Loan",
    attributes: [AttributeDescription(name: "id", type: .uuid, versionHashModifier: "2")],
    relationships: [
      RelationshipDescription(
        name: "book", destination: "Book", inverse: "loans", maximumCount: 1, isIndexed: true),
      RelationshipDescription(
        name: "person", destination: "Person", inverse: "loans", minimumCount: 1,
        maximumCount: 1, deleteRule: .deny, renamingIdentifier: "reader"),
    ],
    userInfo: ["color": "red"])
}

extension ArchiveGraph {
  /// Each object that has a name, with its values.
  fileprivate var outline: String {
    nodes.sorted { $0.key < $1.key }.map { name, node in
      guard case .object(let type, let values) = node else { return "\(name)\n" }
      let lines = values.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)\n" }
      return "\(name): \(type)\n" + lines.joined()
    }.joined(separator: "\n")
  }
}
