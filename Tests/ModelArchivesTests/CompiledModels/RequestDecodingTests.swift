import StoreDiagnostics
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import ModelArchives

struct RequestDecodingTests {
  private func decode(_ archive: SampleArchive) throws -> CompiledModelReading {
    var archive = archive
    return try CompiledModel.decode(archive.bytes(), name: "Pets")
  }

  private func addTemplate(
    _ name: String, _ predicate: ArchiveBuilder.Part, to archive: inout SampleArchive,
    _ values: [(String, ArchiveBuilder.Part)] = []
  ) {
    let request = archive.builder.object(
      "NSFetchRequest",
      [("NSEntity", archive.reference("Person")), ("NSPredicate", predicate)] + values)
    archive.modelValues.append(
      ("NSFetchRequestTemplates", archive.builder.map([(name, request)])))
  }

  @Test func readsATemplateWithVariables() throws {
    var archive = SampleArchive.pets
    let predicate = archive.compound(
      1,
      [
        archive.comparison(
          archive.keyPath("name"), 8, archive.variable("START"), [("NSFlags", .integer(3))]),
        archive.comparison(
          archive.keyPath("dogs.age"), 2, archive.constant(.integer(4)),
          [("NSModifier", .integer(2))]
        ),
      ])
    addTemplate(
      "people", predicate, to: &archive,
      [
        ("NSFetchLimit", .integer(5)), ("NSBatchSize", .integer(20)),
        ("NSFetchRequestFlags", .integer(31)), ("NSResultType", .integer(2)),
      ])
    let reading = try decode(archive)
    let template = try #require(reading.model.templates.first)
    #expect(reading.diagnostics == [])
    #expect(template.name == "people")
    #expect(template.entity == "Person")
    #expect(template.predicateText?.text == "name BEGINSWITH[cd] $START AND ANY dogs.age > 4")
    #expect(template.predicate?.format == template.predicateText?.text)
    #expect(template.limit == 5)
    #expect(template.batchSize == 20)
    #expect(template.returnsDistinctResults)
    #expect(template.includesSubentities)
    #expect(template.resultType == .dictionaries)
  }

  @Test func readsAFetchedProperty() throws {
    var archive = SampleArchive.pets
    let predicate = archive.comparison(
      archive.keyPath("name"), 4, archive.variable("FETCH_SOURCE"))
    let sort = archive.builder.list([archive.builder.object("NSSortDescriptor", [])])
    let request = archive.builder.object(
      "NSFetchRequest",
      [
        ("NSEntity", archive.reference("Person")), ("NSPredicate", predicate),
        ("NSSortDescriptors", sort),
      ])
    let property = archive.builder.object(
      "NSFetchedPropertyDescription",
      [("NSPropertyName", archive.builder.text("friends")), ("NSFetchRequest", request)])
    archive.addProperty("Person", "friends", property)
    let reading = try decode(archive)
    let fetched = try #require(reading.model.entity(named: "Person")?.fetchedProperties.first)
    #expect(fetched.request.predicateText?.text == "name == $FETCH_SOURCE")
    #expect(
      reading.diagnostics.map(\.message) == [
        "there are sort descriptors in fetched property 'friends', which is omitted"
      ])
  }

  @Test func readsIndexes() throws {
    var archive = SampleArchive.pets
    archive.addAttribute("Person", "city", [("NSIsIndexed", .flag(true))])
    archive.addAttribute("Person", "zip", [("NSIsIndexed", .flag(true))])
    func element(_ name: String, ascending: Bool = true) -> ArchiveBuilder.Part {
      archive.builder.object(
        "NSFetchIndexElementDescription",
        [
          ("NSPropertyName", archive.builder.text(name)), ("NSAscending", .flag(ascending)),
          ("NSFetchIndexElementType", .integer(0)),
        ])
    }
    func index(
      _ name: String, _ elements: [ArchiveBuilder.Part], _ predicate: ArchiveBuilder.Part? = nil
    ) -> ArchiveBuilder.Part {
      archive.builder.object(
        "NSFetchIndexDescription",
        [
          ("NSIndexName", archive.builder.text(name)),
          ("NSIndexElements", archive.builder.list(elements)),
          ("NSPartialIndexPredicate", predicate ?? ArchiveBuilder.null),
        ])
    }
    let condition = archive.comparison(
      archive.keyPath("city"), 5, archive.constant(ArchiveBuilder.null))
    let indexes = [
      index("city", [element("city")]), index("zip", [element("zip")]),
      index("byZip", [element("zip")]),
      index("name_city", [element("name"), element("city")]),
      index("cities", [element("city", ascending: false), element("name")], condition),
    ]
    let compound = archive.builder.list([
      archive.builder.text("name"), archive.builder.text("city"),
    ])
    archive.setEntityValue(
      "Person", "NSFetchIndexDescriptions", archive.builder.list(indexes))
    archive.setEntityValue("Person", "NSCompoundIndexes", archive.builder.list([compound]))
    let person = try #require(try decode(archive).model.entity(named: "Person"))
    // The index with the attribute's name comes from `indexed="YES"`. `zip` is indexed by `byZip`.
    #expect(person.attributes.filter(\.isIndexed).map(\.name) == ["city"])
    #expect(
      person.indexes == [
        FetchIndex(name: "byZip", elements: [.init(.property("zip"))]),
        FetchIndex(
          name: "", elements: [.init(.property("name")), .init(.property("city"))],
          origin: .compoundIndex),
        FetchIndex(
          name: "cities",
          elements: [.init(.property("city"), isAscending: false), .init(.property("name"))],
          partialPredicate: "city != nil"),
      ])
  }

  @Test func readsADerivedAttribute() throws {
    var archive = SampleArchive.pets
    let utilities = archive.builder.object(
      "NSConstantValueExpression",
      [
        ("NSExpressionType", .integer(0)),
        ("NSConstantValueClassName", archive.builder.text("_NSPredicateUtilities")),
      ])
    let count = archive.builder.object(
      "NSFunctionExpression",
      [
        ("NSExpressionType", .integer(4)), ("NSOperand", utilities),
        ("NSSelectorName", archive.builder.text("count:")),
        ("NSArguments", archive.builder.list([archive.keyPath("dogs")])),
      ])
    archive.addAttribute(
      "Person", "dogCount", type: 300, [("NSDerivationExpression", count)],
      className: "NSDerivedAttributeDescription")
    let person = try #require(try decode(archive).model.entity(named: "Person"))
    #expect(person.attributes.first?.derivation?.format == "dogs.@count")
  }
}
