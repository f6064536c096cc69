import StoreMigration
import StoreModel
import Testing

@Suite struct ModelPairingTests {
  private func model(_ entities: EntityDescription...) -> DataModel {
    DataModel(name: "M", entities: entities)
  }

  /// - Parameter attributes: names with their renaming identifiers.
  private func entity(
    _ name: String, id: String? = nil, parent: String? = nil,
    _ attributes: KeyValuePairs<String, String?> = [:]
  ) -> EntityDescription {
    let attributes = attributes.map { name, id in
      AttributeDescription(name: name, type: .string, renamingIdentifier: id)
    }
    return EntityDescription(
      name: name, parent: parent, attributes: attributes, renamingIdentifier: id)
  }

  @Test func pairsByIdentifierWhereTheNameIsTaken() {
    let pairing = ModelPairing(
      from: model(entity("A"), entity("B")), to: model(entity("A", id: "B"), entity("C", id: "A")))
    #expect(pairing.entities.map { [$0.source, $0.target] } == [["B", "A"], ["A", "C"]])
    #expect(pairing.mismatches == [])
  }

  @Test func givesTheValueToTheAttributeThatHasItsIdentifier() {
    let pairing = ModelPairing(
      from: model(entity("P", ["title": nil])),
      to: model(entity("P", ["name": "title", "title": "title2"])))
    #expect(pairing.entities.first?.attributes == ["name": "title"])
  }

  @Test func exchangesAttributesByTheirIdentifiers() {
    let pairing = ModelPairing(
      from: model(entity("P", ["first": nil, "last": nil])),
      to: model(entity("P", ["first": "last", "last": "first"])))
    #expect(pairing.entities.first?.attributes == ["first": "last", "last": "first"])
    #expect(pairing.mismatches == [])
  }

  @Test func exchangesRelationshipsByTheirIdentifiers() {
    func version(_ mother: String?, _ father: String?) -> DataModel {
      DataModel(
        name: "M",
        entities: [
          EntityDescription(
            name: "P",
            relationships: [
              RelationshipDescription(name: "mother", destination: "P", renamingIdentifier: mother),
              RelationshipDescription(name: "father", destination: "P", renamingIdentifier: father),
            ])
        ])
    }
    let pairing = ModelPairing(from: version(nil, nil), to: version("father", "mother"))
    #expect(pairing.entities.first?.relationships == ["mother": "father", "father": "mother"])
  }

  @Test func pairsTheRenamedEntityWhereANewOneTakesItsName() {
    let pairing = ModelPairing(
      from: model(entity("Car")),
      to: model(entity("Vehicle", id: "Car"), entity("Car", id: "Car2")))
    #expect(pairing.entities.map { [$0.source, $0.target] } == [["Car", "Vehicle"]])
    #expect(pairing.addedEntities.map(\.name) == ["Car"])
  }

  @Test func decidesByNameBetweenTwoWithOneIdentifier() {
    let pairing = ModelPairing(
      from: model(entity("P", ["title": nil])),
      to: model(entity("P", ["name": "title", "title": nil])))
    #expect(pairing.entities.first?.attributes == ["title": "title"])
  }

  /// An attribute of the old and of the new version.
  struct Mismatch {
    var old: (name: String, id: String?)
    var new: (name: String, id: String?)
  }

  @Test(arguments: [
    Mismatch(old: ("x", nil), new: ("x", "lost")), Mismatch(old: ("x", "lost"), new: ("x", nil)),
    Mismatch(old: ("x", "one"), new: ("x", "other")), Mismatch(old: ("x", "one"), new: ("y", "x")),
  ])
  func keepsByNameWhatCoreDataDrops(_ mismatch: Mismatch) throws {
    let (old, new) = (mismatch.old, mismatch.new)
    let pairing = ModelPairing(
      from: model(entity("P", [old.name: old.id])), to: model(entity("P", [new.name: new.id])))
    #expect(pairing.entities.first?.attributes == [new.name: old.name])
    let found = try #require(pairing.mismatches.first)
    #expect(pairing.mismatches.count == 1)
    #expect([found.source, found.target] == ["P.\(old.name)", "P.\(new.name)"])
    #expect(
      [found.sourceIdentifier, found.targetIdentifier] == [old.id ?? old.name, new.id ?? new.name])
  }

  @Test func keepsTheRowsOfAnEntityWhoseIdentifierHasNoCounterpart() {
    let pairing = ModelPairing(
      from: model(entity("A", ["x": nil])), to: model(entity("A", id: "lost", ["x": nil])))
    #expect(pairing.pair(toTarget: "A")?.attributes == ["x": "x"])
    #expect(pairing.mismatches.map(\.part) == [.entity("A")])
  }

  @Test func usesANameOnlyWhereNoIdentifierMatches() {
    let pairing = ModelPairing(
      from: model(entity("P", ["a": "one", "b": "two"])),
      to: model(entity("P", ["a": "b", "b": "three"])))
    #expect(pairing.entities.first?.attributes == ["a": "b"])
  }

  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test func anotherSpellingIsAnotherName() {
    let old = model(entity(composed, [composed: nil]))
    let new = model(entity(decomposed, [decomposed: nil]))
    let pairing = ModelPairing(from: old, to: new)
    #expect(pairing.entities == [])
    #expect(pairing.addedEntities.count == 1)
    #expect(pairing.removedEntities.count == 1)
  }

  @Test func anIdentifierRenamesToAnotherSpelling() throws {
    let old = model(entity(composed, [composed: nil]))
    let new = model(entity(decomposed, id: composed, [decomposed: composed]))
    let pair = try #require(ModelPairing(from: old, to: new).entities.first)
    #expect(pair.isRenamed)
    #expect(pair.attributes.map { [$0.key, $0.value] }.first?.map(\.utf8.count) == [6, 5])
    let diff = ModelDiff(from: old, to: new)
    #expect(diff.needsMigration)
    #expect(diff.changes.map(\.wording.code) == ["entity.renamed", "attribute.renamed"])
  }

  struct Renaming {
    var oldID: String?
    var newID: String?
  }

  @Test(arguments: [
    Renaming(newID: "Old"), Renaming(oldID: "first", newID: "first"),
    Renaming(oldID: "first", newID: "Old"), Renaming(oldID: "New"),
  ])
  func renamesByEitherIdentifier(_ renaming: Renaming) {
    let pairing = ModelPairing(
      from: model(entity("Old", id: renaming.oldID)), to: model(entity("New", id: renaming.newID)))
    #expect(pairing.entities.map { [$0.source, $0.target] } == [["Old", "New"]])
  }

  @Test func anIdentifierThatMatchesNothingIsNoRename() {
    let pairing = ModelPairing(
      from: model(entity("A", ["x": nil])), to: model(entity("A", ["y": "z"])))
    #expect(pairing.entities.first?.attributes == [:])
  }

  @Test func oneOldNameBecomesOneNewName() {
    let pairing = ModelPairing(
      from: model(entity("A", ["x": nil])), to: model(entity("A", ["y": "x", "z": "x"])))
    #expect(pairing.entities.first?.attributes == ["y": "x"])
  }

  @Test func attributesThatMoveInTheHierarchyStay() {
    let pairing = ModelPairing(
      from: model(entity("Parent"), entity("Child", parent: "Parent", ["x": nil])),
      to: model(entity("Parent", ["x": nil]), entity("Child", parent: "Parent")))
    #expect(pairing.pair(toTarget: "Child")?.attributes == ["x": "x"])
    #expect(pairing.pair(toTarget: "Parent")?.attributes == [:])
  }
}
