import Foundation
import StoreDiagnostics
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// Each kind of damage is found, and repaired if no data is lost.
@Suite struct VerificationTests {
  private func graph() throws -> GraphStore {
    let graph = try GraphStore()
    try graph.importing(
      """
      {"$entity": "Person", "$id": "p", "tags": [{"$entity": "Tag"}], "things": [{"key": "a"}],
       "passport": {"key": "b"}}
      {"$entity": "Thing", "parent": {"$entity": "Gadget", "key": "c"}, "owner": "p"}
      """)
    return graph
  }

  private func findings(_ graph: GraphStore, after sql: String) throws -> [String] {
    try graph.store.close()
    try graph.file.edit(sql)
    return try findings(GraphStore(reopening: graph))
  }

  private func findings(_ graph: GraphStore) throws -> [String] {
    let uuid = graph.store.metadata.uuid
    return try graph.store.verify(in: graph.layout).map { finding in
      let found = finding.diagnostic
      let help = found.help.map(\.description).joined().split(separator: uuid).joined(
        separator: "STORE")
      return "\(found.severity) \(found.code) \(found.message) | \(help)"
    }.filter { !$0.contains("verify.wrong-sum") }
  }

  @Test func aStoreOfOursIsClean() throws {
    #expect(try findings(graph()) == [])
  }

  @Test func damageIsFound() throws {
    let found = try findings(
      graph(),
      after: """
        UPDATE ZTHING SET ZOWNER = 77 WHERE Z_PK = 1;
        UPDATE ZTHING SET Z6_PARENT = 6 WHERE ZPARENT NOT NULL;
        UPDATE ZPASSPORT SET ZHOLDER = NULL;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Thing';
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (2, 3, 1);
        INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT) VALUES (9, 1, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME IN ('Tag', 'Being');
        """)
    Golden.expect(found.joined(separator: "\n") + "\n", matches: "verify-findings.txt")
  }

  @Test(arguments: damages)
  func eachDamageIsFound(_ damage: Damage) throws {
    let graph = try graph()
    try graph.importing(Self.more)
    let found = try findings(graph, after: damage.sql).map { $0.prefix { $0 != "|" }.dropLast() }
    #expect(found.map(String.init) == damage.findings)
  }

  struct Damage: CustomTestStringConvertible {
    var sql: String
    var findings: [String]

    init(_ sql: String, _ findings: String...) {
      self.sql = sql
      self.findings = findings
    }

    var testDescription: String { sql }
  }

  /// The second person, with members of every kind.
  private static let more = """
    {"$entity": "Person", "tags": [{"$entity": "Tag"}, {"$entity": "Tag"}],
     "favourites": [{"key": "f"}], "keepsakes": [{"key": "k"}, {"key": "l"}],
     "friends": [{"$entity": "Person", "$id": "q"}]}
    {"$entity": "Thing", "key": "m", "children": [{"key": "n"}, {"key": "o"}],
     "ranking": [{"$entity": "Tag"}, {"$entity": "Tag"}]}
    """

  static let damages: [Damage] = [
    Damage("UPDATE ZTHING SET Z2FAVOURITES = Z2FAVOURITES"),
    Damage(
      "UPDATE ZTHING SET Z2FAVOURITES = 77 WHERE ZKEY = 'f'",
      "error verify.lost-owner 'Person.favourites': 1 row of 'Thing' with an owner that doesn't exist"
    ),
    // Being 9 is a robot, which doesn't have the relationship.
    Damage(
      "INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT) VALUES (9, 3, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 9 "
        + "WHERE Z_ENT = 1; UPDATE ZTHING SET Z2FAVOURITES = 9 WHERE ZKEY = 'f'",
      "error verify.misdirected-owner 'Person.favourites': 1 row of 'Thing' with an owner whose entity doesn't have the relationship"
    ),
    Damage(
      "UPDATE ZTHING SET Z_FOK_2KEEPSAKES = NULL WHERE ZKEY = 'k'",
      "warning verify.missing-place 'Person.keepsakes': 1 member without a position in the order"),
    Damage(
      "UPDATE ZTHING SET Z_FOK_2KEEPSAKES = 5 WHERE Z2KEEPSAKES NOT NULL",
      "warning verify.shared-place 'Person.keepsakes': 2 members with the position of another member"
    ),
    Damage(
      "UPDATE ZTHING SET Z_FOK_PARENT = 5 WHERE ZKEY IN ('n', 'o')",
      "warning verify.shared-place 'Thing.children': 2 members with the position of another member"),
    Damage(
      "UPDATE Z_6RANKING SET Z_FOK_5RANKING = NULL",
      "warning verify.missing-place 'Thing.ranking': 2 members without a position in the order"),
    Damage(
      "UPDATE Z_6RANKING SET Z_FOK_5RANKING = 5",
      "warning verify.shared-place 'Thing.ranking': 2 members with the position of another member"),
    // Core Data leaves this state after a to-one relationship becomes one-to-one.
    Damage(
      "UPDATE ZBEING SET ZPASSPORT = NULL",
      "warning verify.empty-inverse 'Passport.holder': 1 row refers to a row whose 'Person.passport' is NULL"
    ),
    Damage(
      "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZHOLDER) VALUES (2, 4, 1, 2), (3, 4, 1, 3); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 4; UPDATE ZBEING SET ZPASSPORT = NULL",
      "warning verify.empty-inverse 'Passport.holder': 3 rows refer to a row whose 'Person.passport' is NULL"
    ),
    Damage(
      "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZHOLDER) VALUES (2, 4, 1, 2); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 4; "
        + "UPDATE ZBEING SET ZPASSPORT = iif(Z_PK = 2, 2, NULL)",
      "warning verify.empty-inverse 'Passport.holder': 1 row refers to a row whose 'Person.passport' is NULL"
    ),
    Damage(
      "UPDATE ZBEING SET ZSPOUSE = 1 WHERE Z_PK = 2",
      "warning verify.empty-inverse 'Person.spouse': 1 row refers to a row whose 'Person.spouse' is NULL"
    ),
    Damage(
      "UPDATE ZBEING SET ZSPOUSE = 1 WHERE Z_PK < 3",
      "error verify.one-sided 'Person.spouse': 1 row refers to a row whose 'Person.spouse' refers to a different row"
    ),
    Damage("UPDATE ZBEING SET ZSPOUSE = 3 - Z_PK WHERE Z_PK < 3"),
    Damage(
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Gadget'",
      "error verify.wrong-parent Z_SUPER of 'Gadget' is 0 instead of 6"),
    Damage(
      "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL WHERE Z_NAME = 'Gadget'",
      "error verify.entity-name Z_PRIMARYKEY contains the name '' for 'Gadget'"),
    // A migration leaves this row after it has renamed an entity.
    Damage("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Machine' WHERE Z_NAME = 'Gadget'"),
    Damage(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Robot'",
      "error verify.unlisted-entity Z_PRIMARYKEY has no row 3 for 'Robot'"),
    Damage(
      "INSERT INTO Z_PRIMARYKEY VALUES (20, 'Ghost', 0, 0)",
      "warning verify.unknown-entity Z_PRIMARYKEY contains 'Ghost', which isn't in the model"),
  ]

  @Test func damageToTheHistoryIsFound() throws {
    let graph = try graph()
    try graph.store.close()
    try graph.file.keepHistory()
    let tracked = try GraphStore(reopening: graph)
    try tracked.importing(Self.more)
    #expect(try findings(tracked) == [])
    let found = try findings(
      tracked,
      after: """
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 16001;
        DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003;
        UPDATE ACHANGE SET ZTRANSACTIONID = 7 WHERE Z_PK = 3;
        UPDATE ATRANSACTION SET ZAUTHORTS = 8;
        """)
    Golden.expect(found.joined(separator: "\n") + "\n", matches: "verify-history.txt")
  }

  @Test func duplicatesAreFound() throws {
    let model = DataModel(
      name: "People",
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [AttributeDescription(name: "name", type: .string, isOptional: true)],
          uniquenessConstraints: [["name"]]), EntityDescription(name: "Reader", parent: "Person"),
      ])
    let found = try findings(
      GraphStore(model),
      after: """
        DROP INDEX Z_Person_UNIQUE_name;
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ann'), (2, 2, 1, 'Ann');
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (3, 1, 1), (4, 2, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_ENT = 1;
        """)
    #expect(
      found == [
        "error verify.missing-index the unique index Z_Person_UNIQUE_name on ZPERSON (ZNAME) is missing | ",
        "error verify.duplicate 2 'Person' rows have the same 'name'"
          + " | the first: x-coredata://STORE/Person/p1, x-coredata://STORE/Reader/p2",
      ])
  }
}

/// In real stores, exactly the known damage is found.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusVerificationTests {
  @Test func allStores() throws {
    var lines: [String] = []
    var done: Set<String> = []
    for pair in CorpusPair.all where done.insert(pair.store).inserted {
      let store = try Store.open(LocalPath(pair.storePath), .reading)
      let findings = try store.verify(in: store.layout(for: pair.readModel()))
      for finding in findings where finding.code != "verify.missing-file" {
        lines.append("\(finding.severity) \(finding.code) \(pair.store): \(finding.message)")
      }
    }
    let withoutModel = Corpus.storePaths.filter { !done.contains($0) }
    var withoutAny: [String] = []
    for path in withoutModel {
      let store = try Store.open(LocalPath(Corpus.store(path).path), .reading)
      var layout: StoreLayout?
      if case .usable(let own) = try store.carriedModel() {
        layout = try store.layout(
          for: own.model,
          configuration: own.model.configurations.first { $0.name == own.configuration })
      } else {
        withoutAny.append(path)
      }
      for finding in try store.verify(in: layout) where finding.code != "verify.missing-file" {
        lines.append("\(finding.severity) \(finding.code) \(path): \(finding.message)")
      }
    }
    #expect(withoutAny == Self.withoutAnyModel)
    Golden.expect(lines.joined(separator: "\n") + "\n", matches: "verify-corpus.txt")
  }

  /// These stores don't contain a model, and no XML with their hashes is known. The stores of Notes contain the model's
  /// table, with NULL in it.
  private static let withoutAnyModel = [
    "OgreSwamp__XCakeLabs_LocalizationLab/CoreDataBooks.CDBStore",
    "RestKit__RestKit/6408f07d-RKSeedDatabase.sqlite",
    "RestKit__RestKit/8dbe8887-RKSeedDatabase.sqlite",
    "RestKit__RestKit/9b919dc7-RKSeedDatabase.sqlite", "RestKit__RestKit/RKSeedDatabase.sqlite",
    "log2timeline__plaso/6ea4bcfc-NotesV7.storedata", "log2timeline__plaso/NotesV7.storedata",
    "log2timeline__plaso/kik.sqlite", "magicalpanda__MagicalRecord/Recipes.sqlite",
    "bandhavivinay__TavantTrade_iPad/779d5273-Model.sqlite",
    "greenisus__corekit/01fa75d0-CoreDataStore.sqlite",
    "greenisus__corekit/572f762a-CoreDataStore.sqlite",
    "greenisus__corekit/77193fd1-CoreDataStore.sqlite",
    "greenisus__corekit/ac1f6c58-CoreDataStore.sqlite",
    "greenisus__corekit/d728b2e5-CoreDataStore.sqlite",
  ]
}
