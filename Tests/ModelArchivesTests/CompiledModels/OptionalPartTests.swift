import StoreLayout
import StoreDiagnostics
import StoreModel
import TestSupport
import Testing

@testable import ModelArchives

/// A part that neither hashes nor rows depend on doesn't keep a model from being read.
struct OptionalPartTests {
  typealias Part = ArchiveBuilder.Part

  /// Returns the warnings about an archive with one odd part. The version hashes must not change.
  private func messages(_ change: (inout SampleArchive) -> Void) throws -> [String] {
    var archive = SampleArchive.pets
    let hashes = VersionHash.hashes(
      of: try CompiledModel.decode(archive.bytes(), name: "Pets").model)
    change(&archive)
    let reading = try CompiledModel.decode(archive.bytes(), name: "Pets")
    #expect(VersionHash.hashes(of: reading.model) == hashes)
    #expect(reading.diagnostics.allSatisfy { $0.severity == .warning })
    return reading.diagnostics.map { $0.message.replacing(/\[[0-9]+\]/, with: "[n]") }
  }

  @Test func configurations() throws {
    #expect(
      try messages { archive in
        let list = archive.builder.list([archive.reference("Dog"), archive.builder.text("House")])
        let strange = archive.builder.list([archive.builder.object("NSEntityDescription", [])])
        let map = archive.builder.map([
          ("A", list), ("B", strange), ("C", archive.builder.text("Dog")),
        ])
        archive.modelValues.append(("NSConfigurations", map))
      } == [
        "the configuration 'A' is omitted: '$objects[n].NS.objects[n]' is a string, expected an entity",
        "a member of the configuration 'B' is omitted: '$objects[n]' is an object of class 'NSEntityDescription', expected an entity of the model",
        "the configuration 'C' is omitted: '$objects[n].NSConfigurations' is a string, expected lists of entities",
      ])
  }

  @Test func fetchRequests() throws {
    #expect(
      try messages { archive in
        let code = archive.builder.object("NSFetchRequest", [("NSResultType", .integer(77))])
        let block = archive.builder.object(
          "NSFetchRequest",
          [
            ("NSEntity", archive.reference("Dog")),
            ("NSPredicate", archive.builder.object("NSBlockPredicate", [])),
          ])
        let map = archive.builder.map([("none", code), ("block", block)])
        archive.modelValues.append(("NSFetchRequestTemplates", map))
      } == [
        "the fetch request 'none' is omitted: '$objects[n].NSEntity' is missing, expected an entity of the model",
        "the fetch request 'block' is omitted: '$objects[n]' is an object of class 'NSBlockPredicate', expected a predicate",
      ])
  }

  @Test func fetchedProperties() throws {
    #expect(
      try messages { archive in
        let name = archive.builder.text("friends")
        let property = archive.builder.object(
          "NSFetchedPropertyDescription", [("NSPropertyName", name)])
        archive.addProperty("Dog", "friends", property)
      } == [
        "the fetched property 'Dog.friends' is omitted: '$objects[n].NSFetchRequest' is missing, expected an object"
      ])
  }

  @Test func valuesOfAnAttribute() throws {
    func messages(_ values: SampleArchive.Values) throws -> [String] {
      try self.messages { archive in
        // A transient attribute is in no hash.
        archive.addAttribute("Dog", "x", [("NSIsTransient", .flag(true))] + values)
      }
    }
    let text = Part.text("x")
    #expect(
      try messages([("NSUserInfo", .integer(1)), ("NSValidationPredicates", .integer(1))]) == [
        "the validation in 'Dog.x' is omitted: '$objects[n].NSValidationPredicates' is a whole number, expected an object",
        "the user info in 'Dog.x' is omitted: '$objects[n].NSUserInfo' is a whole number, expected an object",
      ])
    #expect(
      try messages([
        ("NSIsIndexed", text), ("NSIndexedBySpotlight", text), ("NSValueTransformerName", .real(1)),
        ("NSAttributeValueClassName", .integer(1)),
      ]) == [
        "'NSIsIndexed' in 'Dog.x' is omitted: '$objects[n].NSIsIndexed' is a string, expected YES or NO",
        "'NSIndexedBySpotlight' in 'Dog.x' is omitted: '$objects[n].NSIndexedBySpotlight' is a string, expected YES or NO",
        "'NSValueTransformerName' in 'Dog.x' is omitted: '$objects[n].NSValueTransformerName' is a number, expected a string",
        "'NSAttributeValueClassName' in 'Dog.x' is omitted: '$objects[n].NSAttributeValueClassName' is a whole number, expected a string",
      ])
  }

  @Test func validationsThatAreNoPredicates() throws {
    #expect(
      try messages { archive in
        let bound = archive.comparison(archive.itself(), 3, archive.constant(.integer(0)))
        let block = archive.builder.object("NSBlockPredicate", [])
        archive.addAttribute(
          "Dog", "x", type: 100,
          [
            ("NSIsTransient", .flag(true)),
            ("NSValidationPredicates", archive.builder.list([block, bound])),
          ])
      } == [
        "a validation in 'Dog.x' is omitted: '$objects[n]' is an object of class 'NSBlockPredicate', expected a predicate"
      ])
  }

  /// The names of an R-tree's attributes are archived in two forms.
  @Test func aListOfTextsInUserInfoIsOneText() throws {
    var archive = SampleArchive.pets
    let names = archive.builder.list(
      [archive.builder.text("latitude"), archive.builder.text("longitude")])
    let mixed = archive.builder.list([archive.builder.text("a"), .integer(1)])
    archive.setEntityValue(
      "Dog", "NSUserInfo", archive.builder.map([("names", names), ("mixed", mixed)]))
    let reading = try CompiledModel.decode(archive.bytes(), name: "Pets")
    #expect(reading.model.entity(named: "Dog")?.userInfo == ["names": "latitude, longitude"])
    #expect(
      reading.diagnostics.map(\.message) == [
        "'mixed' of the user info is an object of class 'NSArray' in entity 'Dog', which is omitted"
      ])
  }
}
