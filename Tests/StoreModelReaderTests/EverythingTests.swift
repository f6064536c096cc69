import Foundation
import StoreModel
import StoreModelReader
import StorePredicate
import Testing

/// `Fixtures/valid/everything.xml` has each element and attribute of the format once.
struct EverythingTests {
  let reading: ModelReading
  var model: DataModel { reading.model }

  init() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/valid/everything.xml")
    let source = XMLSource(file: "everything.xml", bytes: try Array(Data(contentsOf: url)))
    reading = try ModelReading.read(source, name: "Everything")
  }

  @Test func nothingIsUnknown() {
    #expect(reading.diagnostics.isEmpty)
  }

  @Test func nameAndEntities() {
    #expect(model.name == "Everything")
    #expect(model.versionIdentifiers == ["1.0 Beta 4"])
    #expect(model.entities.map(\.name) == ["Place", "Venue", "Visit"])
  }

  @Test func entity() throws {
    let place = try #require(model.entity(named: "Place"))
    #expect(place.isAbstract)
    #expect(place.className == ".Place")
    #expect(place.codeGeneration == "class")
    #expect(place.renamingIdentifier == "Location")
    #expect(place.versionHashModifier == "2")
    #expect(place.userInfo == ["mappedKeyName": "venue"])
    #expect(place.uniquenessConstraints == [["title", "area"], ["picture"]])
    let venue = try #require(model.entity(named: "Venue"))
    #expect(venue.parent == "Place")
    #expect(!venue.isAbstract)
  }

  @Test func attributes() throws {
    let place = try #require(model.entity(named: "Place"))
    #expect(
      place.attributes == [
        AttributeDescription(
          name: "area", type: .decimal, isOptional: true, defaultValue: .double(12.5)),
        AttributeDescription(name: "corner", type: .composite("Point"), isOptional: true),
        AttributeDescription(
          name: "picture", type: .binary, isOptional: true, allowsExternalStorage: true,
          isPreservedAfterDeletion: true, allowsCloudEncryption: true),
        AttributeDescription(
          name: "rating", type: .integer16, isTransient: true, defaultValue: .integer(3),
          validation: .init(minimum: .integer(1), maximum: .integer(5)), isIndexed: true,
          usesScalarValueType: true),
        AttributeDescription(
          name: "tags", type: .transformable, isOptional: true,
          valueTransformer: "NSSecureUnarchiveFromData", customClassName: "[String]"),
        AttributeDescription(
          name: "title", type: .string, defaultValue: .string("a \"b\" & c"),
          validation: .init(pattern: #"\A.+\z"#), isIndexedBySpotlight: true,
          renamingIdentifier: "name", versionHashModifier: "add index",
          userInfo: ["sync.remoteKey": "TITLE", "empty": ""]),
      ])
    let guide = try #require(UUID(uuidString: "58EE245C-13A5-4D1F-9D2A-5B2D6E3A2F10"))
    #expect(
      model.entity(named: "Visit")?.attributes == [
        AttributeDescription(name: "day", type: .date, defaultValue: .date(-31_626_000)),
        AttributeDescription(
          name: "guide", type: .uuid, isOptional: true, defaultValue: .uuid(guide)),
      ])
  }

  @Test func relationships() {
    #expect(
      model.entity(named: "Place")?.relationships == [
        RelationshipDescription(
          name: "visits", destination: "Visit", inverse: "place",
          cardinality: .toMany(ordered: true), isOptional: true, minimumCount: 1, maximumCount: 9,
          deleteRule: .cascade, isIndexed: true, renamingIdentifier: "stays",
          versionHashModifier: "1", userInfo: ["k": "v"])
      ])
    #expect(
      model.entity(named: "Visit")?.relationships == [
        RelationshipDescription(
          name: "place", destination: "Place", inverse: "visits", maximumCount: 1,
          deleteRule: .noAction)
      ])
  }

  @Test func fetchedProperty() {
    let request = FetchRequestTemplate(name: "fetchedPropertyFetchRequest", entity: "Place")
    #expect(
      model.entity(named: "Place")?.fetchedProperties == [
        FetchedProperty(name: "neighbours", request: request, userInfo: ["k": "w"])
      ])
  }

  @Test func indexes() {
    #expect(
      model.entity(named: "Place")?.indexes == [
        FetchIndex(
          name: "", elements: [.init(.property("title")), .init(.property("area"))],
          origin: .compoundIndex)
      ])
    #expect(
      model.entity(named: "Visit")?.indexes == [
        FetchIndex(
          name: "byDay",
          elements: [
            .init(.property("day"), isAscending: false), .init(.property("place"), kind: .rTree),
          ], partialPredicate: "day != nil")
      ])
  }

  @Test func templates() {
    #expect(
      model.templates == [
        FetchRequestTemplate(
          name: "evenSpelling", entity: "Visit", includesSubentities: false,
          returnsDistinctResults: true),
        FetchRequestTemplate(
          name: "flags", entity: "Visit", limit: 7, batchSize: 20, includesSubentities: false,
          includesPropertyValues: false, returnsObjectsAsFaults: false,
          returnsDistinctResults: true, includesPendingChanges: false, resultType: .dictionaries),
        FetchRequestTemplate(name: "plain", entity: "Venue"),
      ])
  }

  @Test func configurationsAndComposites() {
    #expect(
      model.configurations == [
        ConfigurationDescription(name: "Cloud", entities: ["Visit", "Place"]),
        ConfigurationDescription(name: "Nothing", entities: []),
      ])
    #expect(
      model.composites == [
        CompositeDescription(
          name: "Point",
          attributes: [
            AttributeDescription(name: "x", type: .double, isOptional: true),
            AttributeDescription(name: "inner", type: .composite("Empty"), isOptional: true),
          ]),
        CompositeDescription(name: "Empty", attributes: []),
      ])
  }
}
