import StorePredicate
import Foundation
import StoreLayout
import StoreModel
import Testing

/// The parts of a model that affect version hashes.
struct VersionHashTests {
  private func hash(_ entity: EntityDescription, among others: [EntityDescription] = []) -> [UInt8]?
  {
    VersionHash.hashes(of: DataModel(name: "M", entities: [entity] + others))[entity.name]
  }

  private func hash(_ attribute: AttributeDescription) -> [UInt8]? {
    hash(EntityDescription(name: "E", attributes: [attribute]))
  }

  private func hash(_ relationship: RelationshipDescription) -> [UInt8]? {
    hash(
      EntityDescription(name: "E", relationships: [relationship]),
      among: [EntityDescription(name: "F")])
  }

  /// SHA-256 of "E" and one zero byte: the hash of an entity without properties.
  @Test func entityWithoutProperties() throws {
    let found = try #require(hash(EntityDescription(name: "E")))
    let hex = found.map { String(format: "%02x", $0) }.joined()
    #expect(hex == "e6691dfe4d55fb0af0da179453a9f94c71a5fcad27ff9623ce5f1bf748459135")
  }

  @Test func partsOfAnAttributeThatCount() {
    let plain = AttributeDescription(name: "a", type: .string)
    let variants: [(inout AttributeDescription) -> Void] = [
      { $0.name = "b" }, { $0.type = .uri }, { $0.isOptional = true }, { $0.isTransient = true },
      { $0.versionHashModifier = "2" }, { $0.allowsExternalStorage = true },
    ]
    let hashes = variants.map { change -> [UInt8]? in
      var attribute = plain
      change(&attribute)
      return hash(attribute)
    }
    #expect(Set(hashes + [hash(plain)]).count == variants.count + 1)
  }

  @Test func partsOfAnAttributeThatDoNotCount() {
    let plain = AttributeDescription(name: "a", type: .string)
    let other = AttributeDescription(
      name: "a", type: .string, defaultValue: .string("x"),
      validation: .init(minimum: .integer(1), pattern: "x"), isIndexed: true,
      allowsCloudEncryption: true, isIndexedBySpotlight: true, usesScalarValueType: true,
      valueTransformer: "T", customClassName: "C", renamingIdentifier: "old",
      userInfo: ["k": "v"])
    #expect(hash(plain) == hash(other))
  }

  @Test func partsOfARelationshipThatCount() {
    let plain = RelationshipDescription(name: "r", destination: "E")
    let variants: [(inout RelationshipDescription) -> Void] = [
      { $0.destination = "F" }, { $0.inverse = "x" }, { $0.isOptional = true },
      { $0.minimumCount = 1 }, { $0.maximumCount = 5 },
      { $0.cardinality = .toMany(ordered: false) },
      { $0.cardinality = .toMany(ordered: true) }, { $0.versionHashModifier = "2" },
    ]
    let hashes = variants.map { change -> [UInt8]? in
      var relationship = plain
      change(&relationship)
      return hash(relationship)
    }
    #expect(Set(hashes + [hash(plain)]).count == variants.count + 1)
  }

  @Test func partsOfARelationshipThatDoNotCount() {
    let plain = RelationshipDescription(name: "r", destination: "E")
    let other = RelationshipDescription(
      name: "r", destination: "E", minimumCount: 0, maximumCount: 1, deleteRule: .cascade,
      isIndexed: true, renamingIdentifier: "old", userInfo: ["k": "v"])
    #expect(hash(plain) == hash(other))
  }

  /// An app that creates its model in code can use Int.max for "many".
  @Test func countBeyond32Bits() {
    #expect(
      hash(RelationshipDescription(name: "r", destination: "E", maximumCount: .max))
        == hash(RelationshipDescription(name: "r", destination: "E", maximumCount: -1)))
  }

  @Test func ownInverseCountsAsNone() {
    let own = RelationshipDescription(
      name: "r", destination: "E", inverse: "r", cardinality: .toMany(ordered: false))
    var without = own
    without.inverse = nil
    #expect(hash(own) == hash(without))
  }

  @Test func childrenDependOnTheirParents() {
    let child = EntityDescription(name: "Child", parent: "Parent")
    let plain = hash(child, among: [EntityDescription(name: "Parent")])
    let modified = hash(child, among: [EntityDescription(name: "Parent", versionHashModifier: "2")])
    #expect(plain != modified)
  }

  @Test func indexesAndFetchedPropertiesDoNotCount() {
    let attribute = AttributeDescription(name: "a", type: .string)
    let other = EntityDescription(
      name: "E", className: "C", codeGeneration: "class", attributes: [attribute],
      fetchedProperties: [
        FetchedProperty(name: "f", request: FetchRequestTemplate(name: "r", entity: "E"))
      ], indexes: [FetchIndex(name: "i", elements: [.init(.property("a"))])],
      renamingIdentifier: "old", userInfo: ["k": "v"])
    #expect(hash(EntityDescription(name: "E", attributes: [attribute])) == hash(other))
  }

  @Test func derivedAttributesHashTheirExpressionAlone() throws {
    func derived(_ name: String, _ text: String) throws -> [UInt8]? {
      hash(
        AttributeDescription(
          name: name, type: .integer64, derivation: try FormatExpression(parsing: text)))
    }
    #expect(try derived("a", "b.c.@count") == derived("z", "b.c.@count"))
    #expect(try derived("a", "b.@count") != derived("a", "b"))
    #expect(try derived("a", "sum:(b.c)") != derived("a", "max:(b.c)"))

  }

  @Test func notesNameWhatNoKnownAnswerCovers() throws {
    let own = RelationshipDescription(
      name: "own", destination: "É", inverse: "own", cardinality: .toMany(ordered: false),
      maximumCount: 5, versionHashModifier: "1")
    let attributes = [
      AttributeDescription(name: "c", type: .composite("C")),
      AttributeDescription(
        name: "b", type: .binary, allowsExternalStorage: true, isPreservedAfterDeletion: true,
        allowsCloudEncryption: true),
      AttributeDescription(
        name: "now", type: .date, derivation: try FormatExpression(parsing: "now()")),
      AttributeDescription(
        name: "count", type: .date, derivation: try FormatExpression(parsing: "own.@count")),
      AttributeDescription(name: "ü", type: .composite("C"), isTransient: true),
    ]
    let model = DataModel(
      name: "M",
      entities: [
        EntityDescription(
          name: "Plain", attributes: [AttributeDescription(name: "a", type: .string)]),
        EntityDescription(
          name: "É", attributes: attributes, relationships: [own],
          uniquenessConstraints: [["b"], ["c"]]),
      ])
    #expect(
      VersionHash.notes(on: model) == [
        .nonASCII(name: "É"), .severalConstraints(entity: "É"),
        .externalAndPreserved(attribute: "É.b"), .cloudEncryption(attribute: "É.b"),
        .composite(attribute: "É.c"), .derivation(attribute: "É.now"),
        .ownInverse(relationship: "É.own"), .relationshipModifier(relationship: "É.own"),
        .maximumCount(relationship: "É.own"),
      ])
  }

  @Test func configurationsHoldTheirMembersOnly() {
    let model = DataModel(
      name: "M", entities: [EntityDescription(name: "A"), EntityDescription(name: "B")])
    let configuration = ConfigurationDescription(name: "C", entities: ["B"])
    let hashes = VersionHash.hashes(of: configuration, in: model)
    #expect(hashes == ["B": VersionHash.hashes(of: model)["B"]])
  }

  @Test func digestAndChecksum() {
    let hashes: [String: [UInt8]] = ["b": [2], "a": [1]]
    let digest =
      "fMiGWVWaY+RyubSuAp9SgJJJUjCdu/EuVvV2ZRDSVaXcpaVIPfyS/kPoP4Gh+62p41bML8JE0v8m8TWFX+Bd4Q=="
    #expect(StoreChecksum.digest(of: hashes) == digest)
    #expect(StoreChecksum.checksum(of: hashes) == "oShx/uIQ+4YZKR6uoZRYHL0lMeSyN1nSJfaAaSP2MiI=")
  }
}
