import StoreMigration
import StoreModel
import Testing

@Suite struct ModelPairingTests {
  private func model(_ entities: Entity...) -> Model { Model(name: "M", entities: entities) }

  /// - Parameter attributes: names with their renaming identifiers.
  private func entity(
    _ name: String, id: String? = nil, parent: String? = nil,
    _ attributes: KeyValuePairs<String, String?> = [:]
  ) -> Entity {
    let attributes = attributes.map { name, id in
      Attribute(name: name, type: .string, renamingIdentifier: id)
    }
    return Entity(name: name, parent: parent, attributes: attributes, renamingIdentifier: id)
  }

  @Test func aPlainNameMatchWins() {
    let pairing = ModelPairing(
      from: model(entity("A"), entity("B")), to: model(entity("A", id: "B"), entity("C", id: "A")))
    #expect(pairing.entities.map { [$0.source, $0.target] } == [["A", "A"]])
    #expect(pairing.addedEntities.map(\.name) == ["C"])
    #expect(pairing.removedEntities.map(\.name) == ["B"])
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
