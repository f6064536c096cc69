import StorePredicate
import Foundation
import StoreLayout
import StoreModel
import Testing

/// The parts of a model that affect version hashes.
struct VersionHashTests {
  private func hash(_ entity: Entity, among others: [Entity] = []) -> [UInt8]? {
    VersionHash.hashes(of: Model(name: "M", entities: [entity] + others))[entity.name]
  }

  private func hash(_ attribute: Attribute) -> [UInt8]? {
    hash(Entity(name: "E", attributes: [attribute]))
  }

  private func hash(_ relationship: Relationship) -> [UInt8]? {
    hash(Entity(name: "E", relationships: [relationship]), among: [Entity(name: "F")])
  }

  /// SHA-256 of "E" and one zero byte: the hash of an entity without properties.
  @Test func entityWithoutProperties() throws {
    let found = try #require(hash(Entity(name: "E")))
    let hex = found.map { String(format: "%02x", $0) }.joined()
    #expect(hex == "e6691dfe4d55fb0af0da179453a9f94c71a5fcad27ff9623ce5f1bf748459135")
  }

  @Test func partsOfAnAttributeThatCount() {
    let plain = Attribute(name: "a", type: .string)
    let variants: [(inout Attribute) -> Void] = [
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
    let plain = Attribute(name: "a", type: .string)
    let other = Attribute(
      name: "a", type: .string, defaultValue: .string("x"),
      validation: .init(minimum: .integer(1), pattern: "x"), isIndexed: true,
      allowsCloudEncryption: true, isIndexedBySpotlight: true, usesScalarValueType: true,
      valueTransformer: "T", customClassName: "C", renamingIdentifier: "old",
      userInfo: ["k": "v"])
    #expect(hash(plain) == hash(other))
  }

  @Test func partsOfARelationshipThatCount() {
    let plain = Relationship(name: "r", destination: "E")
    let variants: [(inout Relationship) -> Void] = [
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
    let plain = Relationship(name: "r", destination: "E")
    let other = Relationship(
      name: "r", destination: "E", minimumCount: 0, maximumCount: 1, deleteRule: .cascade,
      isIndexed: true, renamingIdentifier: "old", userInfo: ["k": "v"])
    #expect(hash(plain) == hash(other))
  }

  /// An app that creates its model in code can use Int.max for "many".
  @Test func countBeyond32Bits() {
    #expect(
      hash(Relationship(name: "r", destination: "E", maximumCount: .max))
        == hash(Relationship(name: "r", destination: "E", maximumCount: -1)))
  }

  @Test func ownInverseCountsAsNone() {
    let own = Relationship(
      name: "r", destination: "E", inverse: "r", cardinality: .toMany(ordered: false))
    var without = own
    without.inverse = nil
    #expect(hash(own) == hash(without))
  }

  @Test func childrenDependOnTheirParents() {
    let child = Entity(name: "Child", parent: "Parent")
    let plain = hash(child, among: [Entity(name: "Parent")])
    let modified = hash(child, among: [Entity(name: "Parent", versionHashModifier: "2")])
    #expect(plain != modified)
  }

  @Test func indexesAndFetchedPropertiesDoNotCount() {
    let attribute = Attribute(name: "a", type: .string)
    let other = Entity(
      name: "E", className: "C", codeGeneration: "class", attributes: [attribute],
      fetchedProperties: [
        FetchedProperty(name: "f", request: FetchRequestTemplate(name: "r", entity: "E"))
      ], indexes: [FetchIndex(name: "i", elements: [.init(.property("a"))])],
      renamingIdentifier: "old", userInfo: ["k": "v"])
    #expect(hash(Entity(name: "E", attributes: [attribute])) == hash(other))
  }

  @Test func derivedAttributesHashTheirExpressionAlone() throws {
    func derived(_ name: String, _ text: String) throws -> [UInt8]? {
      hash(Attribute(name: name, type: .integer64, derivation: try FormatExpression(parsing: text)))
    }
    #expect(try derived("a", "b.c.@count") == derived("z", "b.c.@count"))
    #expect(try derived("a", "b.@count") != derived("a", "b"))
    #expect(try derived("a", "sum:(b.c)") != derived("a", "max:(b.c)"))

  }

  @Test func notesNameWhatNoKnownAnswerCovers() throws {
    let own = Relationship(
      name: "own", destination: "É", inverse: "own", cardinality: .toMany(ordered: false),
      maximumCount: 5, versionHashModifier: "1")
    let attributes = [
      Attribute(name: "c", type: .composite("C")),
      Attribute(
        name: "b", type: .binary, allowsExternalStorage: true, isPreservedAfterDeletion: true,
        allowsCloudEncryption: true),
      Attribute(name: "now", type: .date, derivation: try FormatExpression(parsing: "now()")),
      Attribute(
        name: "count", type: .date, derivation: try FormatExpression(parsing: "own.@count")),
      Attribute(name: "ü", type: .composite("C"), isTransient: true),
    ]
    let model = Model(
      name: "M",
      entities: [
        Entity(name: "Plain", attributes: [Attribute(name: "a", type: .string)]),
        Entity(
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
    let model = Model(name: "M", entities: [Entity(name: "A"), Entity(name: "B")])
    let configuration = Configuration(name: "C", entities: ["B"])
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
