import StoreDiagnostics
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import ModelArchives

struct DecodingTests {
  private func decode(_ archive: SampleArchive) throws -> CompiledModelReading {
    var archive = archive
    return try CompiledModel.decode(archive.bytes(), name: "Pets")
  }

  @Test func readsEntitiesAndProperties() throws {
    let reading = try decode(.pets)
    #expect(reading.diagnostics == [])
    #expect(
      reading.model
        == DataModel(
          name: "Pets", versionIdentifiers: ["v1"],
          entities: [
            EntityDescription(
              name: "Person", attributes: [AttributeDescription(name: "name", type: .string)],
              relationships: [
                RelationshipDescription(
                  name: "dogs", destination: "Dog", inverse: "owner",
                  cardinality: .toMany(ordered: false))
              ]),
            EntityDescription(
              name: "Dog",
              attributes: [
                AttributeDescription(name: "age", type: .integer16, defaultValue: .integer(1))
              ],
              relationships: [
                RelationshipDescription(
                  name: "owner", destination: "Person", inverse: "dogs", maximumCount: 1)
              ]),
          ]))
  }

  /// A sub-entity repeats an inherited property, in full or as a proxy.
  @Test func ownPropertiesAreThoseThatNoAncestorHas() throws {
    var archive = SampleArchive()
    archive.addEntity("Animal", [("NSIsAbstract", .flag(true))])
    archive.addEntity(
      "Dog", parent: "Animal", [("NSClassNameForEntity", archive.builder.text("D"))])
    archive.addEntity("Puppy", parent: "Dog")
    let name = archive.addAttribute("Animal", "name")
    archive.addProperty("Dog", "name", name)
    let proxy = archive.builder.object(
      "_NSPropertyDescriptionProxy", [("NSUnderlyingProperty", name)])
    archive.addProperty("Puppy", "name", proxy)
    archive.addAttribute("Puppy", "toy")
    let model = try decode(archive).model
    #expect(model.entities.map(\.name) == ["Animal", "Dog", "Puppy"])
    #expect(model.entities.map(\.parent) == [nil, "Animal", "Dog"])
    #expect(model.entities.map { $0.attributes.map(\.name) } == [["name"], [], ["toy"]])
    #expect(model.entities.map(\.isAbstract) == [true, false, false])
    #expect(model.entities.map(\.className) == [nil, "D", nil])
  }

  @Test func readsOptions() throws {
    var archive = SampleArchive()
    archive.addEntity("Item")
    let info = archive.builder.map([("a", archive.builder.text("b"))])
    archive.addAttribute(
      "Item", "photo", type: 1000,
      [
        ("NSIsOptional", .flag(true)), ("NSIsTransient", .flag(true)), ("NSIsIndexed", .flag(true)),
        ("NSIndexedBySpotlight", .flag(true)), ("NSFlagsKey", .integer(20)),
        ("NSRenamingIdentifier", archive.builder.text("image")),
        ("NSVersionHashModifier", archive.builder.text("2")), ("NSUserInfo", info),
        ("NSAttributeValueClassName", archive.builder.text("NSData")),
        ("NSAllowsCloudEncryption", .flag(true)),
      ])
    archive.addAttribute(
      "Item", "shape", type: 1800,
      [
        ("NSAttributeValueClassName", archive.builder.text("Shape")),
        ("NSValueTransformerName", archive.builder.text("ShapeTransformer")),
      ])
    let item = try #require(try decode(archive).model.entity(named: "Item"))
    #expect(
      item.attributes == [
        AttributeDescription(
          name: "photo", type: .binary, isOptional: true, isTransient: true, isIndexed: true,
          allowsExternalStorage: true, isPreservedAfterDeletion: true,
          allowsCloudEncryption: true, isIndexedBySpotlight: true, renamingIdentifier: "image",
          versionHashModifier: "2", userInfo: ["a": "b"]),
        AttributeDescription(
          name: "shape", type: .transformable, valueTransformer: "ShapeTransformer",
          customClassName: "Shape"),
      ])
  }

  @Test func readsDefaultsByType() throws {
    var archive = SampleArchive()
    archive.addEntity("Item")
    let uuid = archive.builder.object(
      "NSUUID", [("NS.uuidbytes", .data([UInt8](repeating: 0x11, count: 16)))])
    let url = archive.builder.object(
      "NSURL", [("NS.base", ArchiveBuilder.null), ("NS.relative", archive.builder.text("a:b"))])
    let decimal = archive.builder.object(
      "NSDecimalNumber",
      [
        ("NS.mantissa", .data([0xD2, 0x04] + [UInt8](repeating: 0, count: 14))),
        ("NS.mantissa.bo", .integer(1)), ("NS.length", .integer(1)), ("NS.exponent", .integer(-2)),
        ("NS.negative", .flag(true)),
      ])
    let defaults: [(String, Int64, ArchiveBuilder.Part)] = [
      ("a", 300, .integer(5)), ("b", 500, .integer(2)), ("c", 600, .real(0.1)),
      ("d", 800, .integer(1)),
      ("e", 900, archive.builder.object("NSDate", [("NS.time", .real(9))])),
      ("f", 1100, uuid), ("g", 1200, url), ("h", 400, decimal),
      ("i", 700, archive.builder.text("")),
      ("j", 400, .real(3)),
    ]
    for (name, type, value) in defaults {
      archive.addAttribute("Item", name, type: type, [("NSDefaultValue", value)])
    }
    let item = try #require(try decode(archive).model.entity(named: "Item"))
    let uuidText = "11111111-1111-1111-1111-111111111111"
    #expect(item.attributes[5].defaultValue.map { "\($0)" } == "uuid(\(uuidText))")
    let others = item.attributes.map(\.defaultValue).enumerated().filter { $0.offset != 5 }
    #expect(
      others.map(\.element) == [
        .integer(5), .double(2), .double(Double(Float(0.1))), .boolean(true), .date(9),
        .string("a:b"), .double(-12.34), .string(""), .integer(3),
      ])
  }

  @Test func numbersBeyondAllBoundsAreNoDefault() throws {
    var archive = SampleArchive()
    archive.addEntity("Item")
    let decimal = archive.builder.object(
      "NSDecimalNumber",
      [
        ("NS.mantissa", .data([1])), ("NS.length", .integer(.max)),
        ("NS.exponent", .integer(.min)),
      ])
    archive.addAttribute("Item", "a", type: 400, [("NSDefaultValue", decimal)])
    archive.addAttribute("Item", "b", type: 500, [("NSDefaultValue", .real(.infinity))])
    archive.addAttribute("Item", "c", type: 100, [("NSDefaultValue", .real(1e300))])
    let item = try #require(try decode(archive).model.entity(named: "Item"))
    #expect(item.attributes.map(\.defaultValue) == [.integer(0), nil, nil])
  }

  /// A value of an app's own class can't be read without the app.
  @Test func keepsAnAppsOwnValueOpaque() throws {
    var archive = SampleArchive()
    archive.addEntity("Item")
    let cover = archive.builder.object("App.Cover", [("text", archive.builder.text("x"))])
    archive.addAttribute("Item", "cover", type: 1800, [("NSDefaultValue", cover)])
    let reading = try decode(archive)
    #expect(reading.model.entities[0].attributes[0].defaultValue == nil)
    #expect(
      reading.diagnostics.map(\.message) == [
        "the default value is an object of class 'App.Cover' in 'Item.cover', which is omitted"
      ])
  }

  @Test func readsBoundsAndPatterns() throws {
    var archive = SampleArchive()
    archive.addEntity("Item")
    let length = archive.keyPath("length")
    let predicates = [
      archive.compound(
        1,
        [
          archive.comparison(length, 3, archive.constant(.integer(3))),
          archive.comparison(length, 1, archive.constant(.integer(50))),
        ]),
      archive.comparison(archive.itself(), 6, archive.constant(archive.builder.text("[a-z]+"))),
      archive.comparison(archive.itself(), 99, archive.constant(archive.builder.text("x"))),
    ]
    let list = archive.builder.list(predicates)
    archive.addAttribute("Item", "title", [("NSValidationPredicates", list)])
    let least = archive.builder.list([
      archive.comparison(archive.itself(), 3, archive.constant(.integer(0)))
    ])
    archive.addAttribute("Item", "size", type: 100, [("NSValidationPredicates", least)])
    let reading = try decode(archive)
    #expect(
      reading.model.entities[0].attributes.map(\.validation) == [
        .init(minimum: .integer(0)),
        .init(minimum: .integer(3), maximum: .integer(50), pattern: "[a-z]+"),
      ])
    #expect(
      reading.diagnostics.map(\.message) == [
        #"the validation 'SELF CONTAINS "x"' isn't a bound or a pattern in 'Item.title', which is omitted"#
      ])
  }

  @Test func readsConfigurationsAndConstraints() throws {
    var archive = SampleArchive.pets
    let tuple = archive.builder.list([archive.builder.text("name")])
    archive.setEntityValue("Person", "NSUniqueTuples", archive.builder.list([tuple]))
    archive.modelValues.append(
      (
        "NSConfigurations",
        archive.builder.map([("Local", archive.builder.list([archive.reference("Dog")]))])
      ))
    let model = try decode(archive).model
    #expect(model.configurations == [ConfigurationDescription(name: "Local", entities: ["Dog"])])
    #expect(model.entity(named: "Person")?.uniquenessConstraints == [["name"]])
  }
}
