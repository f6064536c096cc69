import StoreDiagnostics
import StoreModel
import StoreModelReader
import ModelTools
import TestSupport
import Testing

/// The XML of a model with every feature.
struct EverythingTests {
  @Test func isWrittenAsXcodeDoes() throws {
    Golden.expect(try ModelXML.text(of: EverythingModel.model), matches: "everything.xml")
  }

  @Test func isReadBack() throws {
    let text = try ModelXML.text(of: EverythingModel.model)
    let reading = try ModelReading.read(text, name: "Everything")
    #expect(reading.model.withoutPlaces == EverythingModel.model.withoutPlaces)
    #expect(reading.diagnostics.map(\.code) == ["model.asymmetric-inverse"])
  }

  /// Comments are written above the elements that they describe, and general ones at the beginning.
  @Test func commentsStandAboveTheirParts() throws {
    let model = DataModel(
      name: "Guessed",
      entities: [
        EntityDescription(
          name: "Item", attributes: [AttributeDescription(name: "note", type: .string)],
          relationships: [
            RelationshipDescription(name: "parent", destination: "Item", maximumCount: 1)
          ],
          fetchedProperties: [
            FetchedProperty(name: "all", request: FetchRequestTemplate(name: "f", entity: "Item"))
          ], indexes: [FetchIndex(name: "byNote", elements: [.init(.property("note"))])])
      ], templates: [FetchRequestTemplate(name: "items", entity: "Item")],
      configurations: [ConfigurationDescription(name: "Local", entities: [])],
      composites: [CompositeDescription(name: "Point", attributes: [])])
    let text = try ModelXML.text(
      of: model, note: "Inferred from the tables of a store.",
      comments: [
        .entity("Item"): "the case of its letters\nis a guess",
        .property("note", of: "Item"): "from -- to ---> \u{1B}[1m\u{FFFE}",
        .property("parent", of: "Item"): "a", .property("all", of: "Item"): "b",
        .index("byNote", of: "Item"): "c", .template("items"): "d", .configuration("Local"): "e",
        .composite("Point"): "f-", .entity("Nobody"): "is not written",
      ])
    Golden.expect(text, matches: "comments.xml")
    #expect(try ModelReading.read(text, name: "Guessed").model.withoutPlaces == model)
  }

  /// The text that Xcode writes for an empty model.
  @Test func emptyModel() throws {
    #expect(
      try ModelXML.text(of: DataModel(name: "Empty", versionIdentifiers: [], entities: [])) == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="1" systemVersion="11A491" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        </model>
        """)
  }
}

extension ModelReading {
  static func read(_ text: String, name: String) throws -> ModelReading {
    try read(XMLSource(file: "\(name).xml", bytes: Array(text.utf8)), name: name)
  }
}
