import StoreDiagnostics
import StoreModel
import TestSupport
import Testing

@testable import ModelArchives

/// Indexes in the form that Core Data archives, as in the stores of Photos.
struct IndexDecodingTests {
  private var archive = SampleArchive.pets

  private mutating func element(_ property: String) -> ArchiveBuilder.Part {
    archive.builder.object(
      "NSFetchIndexElementDescription",
      [
        ("NSPropertyName", archive.builder.text(property)),
        ("NSFetchIndexElementType", .integer(0)),
        ("NSAscending", .flag(true)),
      ])
  }

  private mutating func element(
    _ expression: ArchiveBuilder.Part, number: Int, type: Int64
  ) -> ArchiveBuilder.Part {
    let name = archive.builder.text("expression\(number)")
    let description = archive.builder.object(
      "NSExpressionDescription",
      [
        ("NSEntity", ArchiveBuilder.null), ("NSPropertyName", name),
        ("NSRenamingIdentifier", name), ("NSIsOptional", .flag(true)),
        ("NSIsReadOnly", .flag(true)), ("_P", .integer(247)), ("NSExpression", expression),
        ("NSExpressionType", .integer(type)),
      ])
    return archive.builder.object(
      "NSFetchIndexElementDescription",
      [
        ("NSPropertyName", name), ("NSFetchIndexElementType", .integer(0)),
        ("NSAscending", .flag(true)), ("NSIndexedProperty", description),
      ])
  }

  private mutating func index(
    _ name: String, _ elements: [ArchiveBuilder.Part]
  ) -> ArchiveBuilder.Part {
    archive.builder.object(
      "NSFetchIndexDescription",
      [
        ("NSIndexName", archive.builder.text(name)),
        ("NSIndexElements", archive.builder.list(elements)),
      ])
  }

  private mutating func setIndexes(
    _ indexes: [ArchiveBuilder.Part], compound: [[String]] = []
  ) {
    archive.setEntityValue("Person", "NSFetchIndexDescriptions", archive.builder.list(indexes))
    let lists = compound.map { names in
      archive.builder.list(names.map { archive.builder.text($0) })
    }
    archive.setEntityValue("Person", "NSCompoundIndexes", archive.builder.list(lists))
  }

  private mutating func decode() throws -> (person: EntityDescription, messages: [String]) {
    let reading = try CompiledModel.decode(archive.bytes(), name: "Pets")
    let messages = reading.diagnostics.map {
      $0.message.replacing(/\[[0-9]+\]/, with: "[n]")
    }
    return (try #require(reading.model.entity(named: "Person")), messages)
  }

  @Test mutating func readsElementsThatAreTheRowOrItsEntity() throws {
    let elements = [
      element("name"), element(archive.itself(), number: 1, type: 2000),
      element(archive.keyPath("entity"), number: 2, type: 0),
    ]
    setIndexes([index("byName", elements)], compound: [["name", "self", "entity"]])
    let (person, messages) = try decode()
    #expect(
      person.indexes == [
        FetchIndex(
          name: "byName",
          elements: [
            .init(.property("name")), .init(.expression("SELF", type: .objectID)),
            .init(.expression("entity", type: .undefined)),
          ])
      ])
    #expect(messages == [])
  }

  /// The same archive, written by us.
  @Test mutating func writesElementsAsCoreDataDoes() throws {
    let elements = [
      element("name"), element(archive.itself(), number: 1, type: 2000),
      element(archive.keyPath("entity"), number: 2, type: 0),
    ]
    setIndexes([index("byName", elements)])
    let model = try CompiledModel.decode(archive.bytes(), name: "Pets").model
    let graph = try ArchiveGraph(EncodedModel(model).bytes)
    let written = try #require(graph["Person[byName]"]?["NSIndexElements"]?.members)
    #expect(
      written.map { $0["NSPropertyName"]?.description } == [
        "'name'", "'expression1'", "'expression2'",
      ])
    #expect(
      written[1]["NSIndexedProperty"]?.description
        == "NSExpressionDescription(NSEntity: nil, NSExpression: NSSelfExpression(NSExpressionType: integer(1)), NSExpressionType: integer(2000), NSIsOptional: boolean(true), NSIsReadOnly: boolean(true), NSPropertyName: 'expression1', NSRenamingIdentifier: 'expression1', _P: integer(247))"
    )
    #expect(
      graph["Person"]?["NSCompoundIndexes"]?.members?.first?["NS.objects"]?.description
        == "['name', 'self', 'entity']")
  }

  /// `indexed="YES"` and an index of the property's name: Core Data archives both.
  @Test mutating func equalIndexesOfOneNameAreOne() throws {
    setIndexes([
      index("byName", [element("name")]), index("byName", [element("name")]),
    ])
    let (person, messages) = try decode()
    #expect(person.indexes == [FetchIndex(name: "byName", elements: [.init(.property("name"))])])
    #expect(messages == [])
  }

  @Test mutating func leavesOutWhatCannotBeRead() throws {
    archive.addAttribute("Person", "city")
    let odd = archive.builder.object(
      "NSFetchIndexElementDescription",
      [("NSPropertyName", archive.builder.text("name")), ("NSFetchIndexElementType", .integer(7))])
    setIndexes(
      [
        index("byName", [element("name")]), index("byName", [element("city")]),
        index("odd", [odd]), index("gone", [element("street")]), archive.builder.text("byZip"),
      ], compound: [["name", "street"]])
    // A list with a member of another kind can't be read at all.
    let (person, messages) = try decode()
    #expect(person.indexes == [])
    #expect(
      messages == [
        "the list of indexes of 'Person' is omitted: '$objects[n].NS.objects[n]' is a string, expected an index",
        "a compound index of 'Person' is omitted: '$objects[n]' is 'street', expected a property of 'Person'",
      ])
  }

  @Test mutating func leavesOutSingleIndexes() throws {
    archive.addAttribute("Person", "city")
    let odd = archive.builder.object(
      "NSFetchIndexElementDescription",
      [("NSPropertyName", archive.builder.text("name")), ("NSFetchIndexElementType", .integer(7))])
    setIndexes([
      index("byName", [element("name")]), index("byName", [element("city")]), index("odd", [odd]),
      index("gone", [element("street")]),
    ])
    let (person, messages) = try decode()
    #expect(person.indexes.map(\.name) == ["byName"])
    #expect(
      messages == [
        "a second index 'byName' of 'Person' is omitted: the first one of that name has other elements",
        "the index 'odd' of 'Person' is omitted: '$objects[n].NSFetchIndexElementType' is 7, expected the number of an index's kind",
        "the index 'gone' of 'Person' is omitted: '$objects[n].NSPropertyName' is 'street', expected a property of 'Person'",
      ])
  }
}
