import SampleData
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import StoreCore
@testable import StoreVerification

/// A row with a damaged `Z_ENT` isn't treated as missing: references to it stay, and it is repaired if only one entity
/// is possible.
@Suite struct EntityEvidenceTests {
  /// Being 1, Person 2, Robot 3, Passport 4, Tag 5, Thing 6, Gadget 7.
  private let graph: GraphStore

  /// Things 2 and 3 have gadget 1 as their parent, which is also the favourite and keepsake of person 1.
  init() throws {
    graph = try GraphStore()
    try graph.importing(
      """
      {"$entity": "Person", "$id": "p", "tags": [{"$entity": "Tag", "$id": "t"}], "passport": {"key": "b"},
       "favourites": ["g"], "keepsakes": ["g"], "friends": [{"$entity": "Person"}]}
      {"$entity": "Robot", "tags": ["t"]}
      {"$entity": "Gadget", "$id": "g", "key": "g", "labels": ["t"], "owner": "p"}
      {"$entity": "Thing", "key": "x", "parent": "g", "owner": "p"}
      {"$entity": "Thing", "key": "y", "parent": "g"}
      {"$entity": "Thing", "key": "lonely"}
      """)
  }

  private func repaired(_ sql: String) throws -> (store: GraphStore, outcome: RepairResult) {
    try graph.store.close()
    try graph.file.edit(sql)
    let damaged = try GraphStore(reopening: graph)
    let planned = try damaged.store.repairable(in: damaged.layout)
    let outcome = try damaged.store.repair(in: damaged.layout)
    #expect(codes(planned.repaired) == codes(outcome.repaired))
    #expect(codes(planned.remaining) == codes(outcome.remaining))
    return (damaged, outcome)
  }

  private func codes(_ findings: [StoreFinding]) -> [String] {
    findings.map { "\($0.code) \($0.count)" }.filter { !$0.contains("wrong-sum") }
  }

  /// Returns the rows without their versions, which a repair increases.
  private func rows(_ graph: GraphStore) throws -> [String] {
    try graph.dump().map { $0.replacing(/^(Z[A-Z]+ -?\d+ \S+) \S+/) { "\($0.1)" } }
  }

  // MARK: Certain entities

  @Test(arguments: [
    // The table contains only one entity.
    ("UPDATE ZTAG SET Z_ENT = 99", 1), ("UPDATE ZPASSPORT SET Z_ENT = NULL", 1),
    ("UPDATE ZTAG SET Z_ENT = x'41'; UPDATE ZPASSPORT SET Z_ENT = -9223372036854775808", 2),
    // References to the row are stored with its entity's number.
    ("UPDATE ZTHING SET Z_ENT = 99 WHERE ZKEY = 'g'", 1),
    // Only a person has things, a passport and favourites.
    ("UPDATE ZBEING SET Z_ENT = NULL WHERE Z_PK = 1", 1),
    // An abstract entity doesn't have rows.
    ("UPDATE ZBEING SET Z_ENT = 1 WHERE Z_PK = 1", 1),
  ])
  func aCertainEntityIsRepaired(_ damage: String, _ findings: Int) throws {
    let before = try rows(graph)
    let (store, outcome) = try repaired(damage)
    #expect(codes(outcome.repaired) == Array(repeating: "verify.wrong-entity 1", count: findings))
    #expect(codes(outcome.remaining) == [])
    #expect(try rows(store) == before)
  }

  // MARK: Uncertain entities

  /// Persons and robots both have tags; a thing has no references to it; two references to a thing contradict each
  /// other; and the entity's number in Z_PRIMARYKEY may be wrong instead of the row.
  @Test(arguments: [
    "UPDATE ZBEING SET Z_ENT = 99 WHERE Z_PK = 3",
    "UPDATE ZTHING SET Z_ENT = 0 WHERE ZKEY = 'lonely'",
    """
    UPDATE ZTHING SET Z6_PARENT = 6 WHERE ZKEY = 'x';
    UPDATE ZTHING SET Z_ENT = 99 WHERE ZKEY = 'g'
    """,
    "UPDATE Z_PRIMARYKEY SET Z_ENT = 40 WHERE Z_NAME = 'Tag'",
  ])
  func anUncertainEntityIsLeft(_ damage: String) throws {
    try graph.store.close()
    try graph.file.edit(damage)
    let before = try GraphStore(reopening: graph).dump()
    let damaged = try GraphStore(reopening: graph)
    let layout = try damaged.store.layout(for: GraphModel.model)
    let outcome = try damaged.store.repair(in: layout)
    #expect(codes(outcome.repaired) == [])
    #expect(codes(outcome.remaining).contains("verify.wrong-entity 1"))
    #expect(try damaged.dump() == before)
  }

  /// The number of another entity in the same table, while every reference still has a destination.
  @Test(arguments: [
    (
      "UPDATE ZBEING SET Z_ENT = 3 WHERE Z_PK = 1",
      [
        "verify.misdirected-reference 1", "verify.misdirected-owner 1",
        "verify.misdirected-owner 1",
        "verify.misdirected-reference 2", "verify.misdirected-pair 2",
      ]
    ),
    ("UPDATE ZTHING SET Z_ENT = 6 WHERE ZKEY = 'g'", ["verify.disputed-entity 2"]),
  ])
  func whatLeadsToARowOfAnotherEntityStays(_ damage: String, _ left: [String]) throws {
    try graph.store.close()
    try graph.file.edit(damage)
    let before = try GraphStore(reopening: graph).dump()
    let (store, outcome) = try repaired("")
    #expect(codes(outcome.repaired) == [])
    #expect(codes(outcome.remaining).sorted() == left.sorted())
    #expect(try store.dump() == before)
  }

  // MARK: The entity number of a reference

  /// An entity that the destination can't have.
  @Test(arguments: ["99", "2", "0"])
  func anImpossibleCompanionIsCorrected(_ number: String) throws {
    let before = try rows(graph)
    let (store, outcome) = try repaired("UPDATE ZTHING SET Z6_PARENT = \(number) WHERE ZKEY = 'x'")
    #expect(codes(outcome.repaired) == ["verify.destination-entity 1"])
    #expect(codes(outcome.remaining) == [])
    #expect(try rows(store) == before)
  }

  /// The row, the entity number of the reference, or the reference itself may be wrong.
  @Test(arguments: [
    "UPDATE ZTHING SET Z6_PARENT = 6 WHERE ZKEY = 'x'",
    """
    UPDATE ZTHING SET ZPARENT = (SELECT Z_PK FROM ZTHING WHERE ZKEY = 'lonely') WHERE ZKEY = 'x'
    """,
  ])
  func aDisputedCompanionIsLeft(_ damage: String) throws {
    try graph.store.close()
    try graph.file.edit(damage)
    let before = try GraphStore(reopening: graph).dump()
    let (store, outcome) = try repaired("")
    #expect(codes(outcome.repaired) == [])
    #expect(codes(outcome.remaining) == ["verify.disputed-entity 1"])
    #expect(try store.dump() == before)
  }
}
