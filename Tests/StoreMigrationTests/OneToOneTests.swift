import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreVerification
@testable import StoreLayout
@testable import StoreCore
@testable import StoreMigration

/// A relationship with a to-one inverse: each row can have one partner, and both reference each other.
@Suite struct OneToOneTests {
  // MARK: Models

  private static func toOne(
    _ name: String, _ destination: String, _ inverse: String?, isOptional: Bool = true,
    id: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      renamingIdentifier: id)
  }

  private static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: ordered), isOptional: true)
  }

  private static func model(
    _ version: String, member: [RelationshipDescription], user: [RelationshipDescription]
  ) -> DataModel {
    DataModel(
      name: version,
      entities: [
        EntityDescription(
          name: "Member",
          attributes: [AttributeDescription(name: "role", type: .string, isOptional: true)],
          relationships: member),
        EntityDescription(name: "User", relationships: user),
      ])
  }

  private static let manyToOne = model(
    "1", member: [toOne("user", "User", "memberships")],
    user: [toMany("memberships", "Member", "user")])
  private static let oneToOne = model(
    "2", member: [toOne("user", "User", "membership")],
    user: [toOne("membership", "Member", "user")])

  // MARK: Running

  /// Creates five members and three users: two members share user 7, two share user 8.
  private static func filled() throws -> MigrationStore {
    let store = try MigrationStore(manyToOne, name: "Team.sqlite")
    try store.run(
      "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (7, 2, 1), (8, 2, 1), (9, 2, 1)",
      """
      INSERT INTO ZMEMBER (Z_PK, Z_ENT, Z_OPT, ZUSER, ZROLE) VALUES (1, 1, 1, 8, 'a'), \
      (2, 1, 1, 7, 'b'), (3, 1, 1, 7, 'c'), (4, 1, 1, NULL, 'd'), (5, 1, 1, 8, 'e')
      """, "UPDATE Z_PRIMARYKEY SET Z_MAX = 9")
    return store
  }

  private func migrate(
    _ store: MigrationStore, to new: DataModel = oneToOne, by definition: String? = nil,
    allowing losses: AllowedLosses = .some([])
  ) throws -> MigrationResult {
    let pairing = ModelPairing(from: store.model, to: new)
    let mapping =
      try definition.map { inside in
        let xml = "<migration from=\"1\" to=\"2\">\(inside)</migration>"
        return try MappingInference.infer(pairing, with: Shop.definition(xml))
      } ?? MappingInference.infer(pairing)
    let opened = try Store.openExclusively(LocalPath(store.path))
    defer { try? opened.close() }
    let migration = try Migration(
      from: "1", to: "2", by: MigrationAssembly.plans([mapping], for: opened),
      model: ModelFingerprint(of: new), metadata: opened.metadata)
    return try MigrationRun(
      migration, of: opened,
      settings: MigrationSettings(backup: .none, allowedLosses: losses),
      cancellation: Cancellation()
    ).run()
  }

  private func findings(_ store: MigrationStore, _ model: DataModel) throws -> [String] {
    let opened = try Store.open(LocalPath(store.path), .reading)
    return try opened.verify(in: opened.layout(for: model)).map(\.code)
  }

  // MARK: A to-one receives a to-one inverse

  @Test func rowsThatShareADestinationAreAQuestion() throws {
    let store = try Self.filled()
    let error = #expect(throws: MigrationRunError.self) { try migrate(store) }
    let uuid = try store.metadata().uuid
    let text = error?.diagnostics.map { DiagnosticRenderer().render($0) }.joined() ?? ""
    #expect(
      text == """
        error: 'Member.user' becomes one-to-one with 'User.membership', but rows have the same destination as another row: 2 rows [migrate.shared-destination]
          help: x-coredata://\(uuid)/Member/p3: 'User/p7'
          help: x-coredata://\(uuid)/Member/p5: 'User/p8'
          help: allowing the loss of 'Member.user' keeps each destination only in the row with the lowest key; or specify in a definition which rows to drop: <drop entity="Member" where="…"/>

        """)
    #expect(
      try store.rows("SELECT ZUSER FROM ZMEMBER ORDER BY Z_PK") == [[8], [7], [7], [.null], [8]])
  }

  @Test(arguments: [AllowedLosses.all, .some(["Member.user"])])
  func theRowWithTheLowestKeyKeepsASharedDestination(_ allowed: AllowedLosses) throws {
    let store = try Self.filled()
    let report = try migrate(store, allowing: allowed)
    #expect(report.losses == [MigrationLoss(name: "Member.user", count: 2)])
    #expect(report.pairsProved == 2)
    #expect(
      try store.rows("SELECT Z_PK, ZUSER, ZROLE FROM ZMEMBER ORDER BY Z_PK") == [
        [1, 8, "a"], [2, 7, "b"], [3, .null, "c"], [4, .null, "d"], [5, .null, "e"],
      ])
    #expect(
      try store.rows("SELECT Z_PK, ZMEMBERSHIP FROM ZUSER ORDER BY Z_PK")
        == [[7, 2], [8, 1], [9, .null]])
    #expect(try findings(store, Self.oneToOne) == [])
  }

  @Test func whatIsNotSharedNeedsNoPermission() throws {
    let store = try Self.filled()
    try store.run("UPDATE ZMEMBER SET ZUSER = NULL WHERE Z_PK IN (3, 5)")
    let report = try migrate(store)
    #expect(report.losses == [])
    #expect(
      try store.rows("SELECT Z_PK, ZMEMBERSHIP FROM ZUSER ORDER BY Z_PK")
        == [[7, 2], [8, 1], [9, .null]])
    #expect(try findings(store, Self.oneToOne) == [])
  }

  /// A definition can drop rows, or drop the property so that the first row keeps its destination.
  @Test(arguments: [
    (
      #"<drop entity="Member" where="role IN {'c', 'e'}"/>"#,
      [[7, 2], [8, 1], [9, .null]] as [[SQLiteValue]]
    ),
    (#"<drop entity="Member" where="role IN {'a', 'b'}"/>"#, [[7, 3], [8, 5], [9, .null]]),
    (#"<drop entity="Member" property="user"/>"#, [[7, 2], [8, 1], [9, .null]]),
  ])
  func aDefinitionSaysWhoKeepsIt(_ inside: String, _ pairs: [[SQLiteValue]]) throws {
    let store = try Self.filled()
    _ = try migrate(store, by: inside)
    #expect(try store.rows("SELECT Z_PK, ZMEMBERSHIP FROM ZUSER ORDER BY Z_PK") == pairs)
    #expect(try findings(store, Self.oneToOne) == [])
  }

  /// A dangling reference is unchanged, and doesn't count as a pair.
  @Test func aDanglingReferenceIsNoPair() throws {
    let store = try Self.filled()
    try store.run("UPDATE ZMEMBER SET ZUSER = 77 WHERE Z_PK IN (3, 5)")
    _ = try migrate(store)
    #expect(try store.rows("SELECT ZUSER FROM ZMEMBER WHERE Z_PK IN (3, 5)") == [[77], [77]])
    #expect(try findings(store, Self.oneToOne) == ["verify.dangling-reference"])
  }

  // MARK: Other changes to one-to-one

  struct Change: CustomTestStringConvertible, Sendable {
    var name: String
    var old: DataModel
    var new: DataModel
    /// The body of a definition.
    var xml: String?

    var testDescription: String { name }
  }

  static let changes: [Change] = [
    Change(name: "to-one receives a to-one inverse", old: manyToOne, new: oneToOne),
    Change(
      name: "to-one without inverse gets one",
      old: model("1", member: [toOne("user", "User", nil)], user: []), new: oneToOne),
    Change(
      name: "the to-many is renamed into it",
      old: model(
        "1", member: [toOne("user", "User", "memberships")],
        user: [toMany("memberships", "Member", "user", ordered: true)]),
      new: model(
        "2", member: [toOne("user", "User", "membership")],
        user: [toOne("membership", "Member", "user", id: "memberships")])),
    Change(
      name: "a to-many without inverse becomes to-one",
      old: model("1", member: [], user: [toMany("membership", "Member", nil)]), new: oneToOne),
    Change(
      name: "many-to-many becomes one-to-one",
      old: model(
        "1", member: [toMany("user", "User", "membership")],
        user: [toMany("membership", "Member", "user", ordered: true)]), new: oneToOne),
    Change(
      name: "two to-ones become inverses",
      old: model(
        "1", member: [toOne("user", "User", nil)], user: [toOne("membership", "Member", nil)]),
      new: oneToOne),
    Change(
      name: "a to-one becomes its own inverse",
      old: model("1", member: [toOne("twin", "Member", nil)], user: []),
      new: model("2", member: [toOne("twin", "Member", "twin")], user: [])),
    Change(
      name: "both sides of a one-to-one become one relationship",
      old: model(
        "1", member: [toOne("twin", "Member", "back"), toOne("back", "Member", "twin")], user: []),
      new: model("2", member: [toOne("twin", "Member", "twin")], user: [])),
    Change(
      name: "one side is renamed without an identifier",
      old: model(
        "1", member: [toOne("user", "User", "owner")], user: [toOne("owner", "Member", "user")]),
      new: oneToOne),
    Change(
      name: "a path leads there",
      old: model(
        "1", member: [toOne("boss", "Member", nil), toOne("login", "User", nil)], user: []),
      new: model(
        "2",
        member: [toOne("boss", "Member", nil), toOne("user", "User", "membership")],
        user: [toOne("membership", "Member", "user")]),
      xml: #"<entity name="Member"><relationship name="user" path="boss.login"/></entity>"#),
    Change(
      name: "rows are looked for", old: model("1", member: [], user: []), new: oneToOne,
      xml: #"<entity name="Member"><relationship name="user" match="TRUEPREDICATE"/></entity>"#),
    Change(
      name: "one entity is split into two", old: hierarchyless("1"), new: split("2"),
      xml: """
        <entity name="Boss" source="Member"/>
        <entity name="Worker" source="Member"/>
        """),
    Change(
      name: "two entities are merged", old: split("1"), new: hierarchyless("2"),
      xml: """
        <entity name="Member" source="Boss"/>
        <entity name="Member" source="Worker"/>
        """),
  ]

  private static func hierarchyless(_ version: String) -> DataModel {
    model(
      version, member: [toOne("user", "User", "membership")],
      user: [toOne("membership", "Member", "user")])
  }

  private static func split(_ version: String) -> DataModel {
    DataModel(
      name: version,
      entities: [
        EntityDescription(
          name: "Party", isAbstract: true,
          attributes: [AttributeDescription(name: "role", type: .string, isOptional: true)],
          relationships: [toOne("user", "User", "membership")]),
        EntityDescription(name: "Boss", parent: "Party"),
        EntityDescription(name: "Worker", parent: "Party"),
        EntityDescription(name: "User", relationships: [toOne("membership", "Party", "user")]),
      ])
  }

  /// Regardless of how the relationship became one-to-one, the proof succeeds and `verify` doesn't report anything.
  @Test(arguments: changes, 1...6 as ClosedRange<UInt64>)
  func bothSidesAgreeInTheEnd(_ change: Change, seed: UInt64) throws {
    let pairing = ModelPairing(from: change.old, to: change.new)
    let mapping =
      try change.xml.map { inside in
        let xml = "<migration from=\"1\" to=\"2\">\(inside)</migration>"
        return try MappingInference.infer(pairing, with: Shop.definition(xml))
      } ?? MappingInference.infer(pairing)
    let trial = try PlanTrial(change.old, rows: 12, seed: seed)
    let outcome = try trial.migrate(to: change.new, by: mapping, ignoringProblems: true)
    #expect(outcome.failures == [], "seed \(seed)")
    for problem in outcome.problems {
      guard case .sharedDestination = problem else {
        Issue.record("seed \(seed): \(problem)")
        continue
      }
    }
  }

  /// The loss equals the number of pairs before minus the number of pairs after.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func theLossOfPairsIsCounted(_ seed: UInt64) throws {
    let trial = try PlanTrial(Self.changes[4].old, rows: 12, seed: seed)
    let before = try trial.integer("SELECT count(*) FROM Z_1USER")
    let outcome = try trial.migrate(to: Self.oneToOne, ignoringProblems: true)
    let after = try trial.integer("SELECT count(ZUSER) FROM ZMEMBER")
    #expect(after > 0)
    #expect(outcome.losses == ["Member.user": before - after], "seed \(seed)")
  }

  /// A relationship that was one-to-one before doesn't need a step.
  @Test func whatTheSourceKeepsAsItIsNeedsNoStep() throws {
    let old = Self.hierarchyless("1")
    let new = DataModel(
      name: "2", entities: old.entities + [EntityDescription(name: "Zebra")])
    let outcome = try PlanTrial(old, rows: 12).migrate(to: new)
    #expect(outcome.failures == [])
    #expect(!outcome.plan.steps.contains { $0.effect == .scratch })
    #expect(
      outcome.plan.tables.filter { $0.strategy != .create }.allSatisfy { $0.strategy == .unchanged }
    )
  }

  /// Only the run can detect that several rows match the same destination.
  @Test func whatAMatchSharesIsAskedInTheRun() throws {
    let old = Self.model("1", member: [], user: [])
    let store = try MigrationStore(old, name: "Team.sqlite")
    try store.run(
      "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (7, 2, 1)",
      "INSERT INTO ZMEMBER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 7")
    let xml = #"<entity name="Member"><relationship name="user" match="TRUEPREDICATE"/></entity>"#
    let error = #expect(throws: MigrationRunError.self) { try migrate(store, by: xml) }
    guard case .failedChecks(let checks)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(checks.map(\.problem.code) == ["migrate.shared-destination"])
    #expect(checks.map(\.count) == [2])
    #expect(try store.schema().hasColumn("ZUSER", in: "ZMEMBER") == false)
    let report = try migrate(store, by: xml, allowing: AllowedLosses("Member.user"))
    #expect(report.losses == [MigrationLoss(name: "Member.user", count: 2)])
    #expect(try findings(store, Self.oneToOne) == [])
    #expect(try store.rows("SELECT ZMEMBERSHIP FROM ZUSER") == [[1]])
  }

  // MARK: Models and the matrix

  @Test func theModelsTellThatRowsMayShare() {
    func risks(_ old: DataModel, _ new: DataModel) -> [MappingError] {
      MappingInference.infer(ModelPairing(from: old, to: new)).risks
    }
    #expect(
      risks(Self.manyToOne, Self.oneToOne) == [
        .sharedDestination(
          entity: "Member", relationship: "user", inverse: "User.membership",
          sourceEntity: "Member", loss: "Member.user")
      ])
    #expect(risks(Self.oneToOne, Self.manyToOne) == [])
    #expect(risks(Self.oneToOne, Self.hierarchyless("2")) == [])
    #expect(risks(Self.changes[8].old, Self.oneToOne) == [])
  }

  @Test func theMatrixCallsItConditional() throws {
    let folder = try TemporaryFolder()
    let mapping = MappingInference.infer(ModelPairing(from: Self.manyToOne, to: Self.oneToOne))
    let result = try PairTrial(
      of: Self.manyToOne, by: [mapping], names: ("1", "2"), sample: .init(rows: 30, seed: 1)
    ).run(in: LocalPath(folder.url.path))
    #expect(result.verdict == .conditional)
    #expect(result.problems.map(\.code) == ["migrate.shared-destination"])
    #expect(result.report?.losses.map(\.name) == ["Member.user"])
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func theMembersOfWireShareUsers() throws {
    let path = Corpus.models.appendingPathComponent(
      "wireapp__wire-ios-data-model/Resources/zmessaging.xcdatamodeld"
    ).path
    let bundle = try #require(ModelBundle.find(at: path).first)
    let models = try ["zmessaging2.30.0", "zmessaging2.31.0"].map {
      try bundle.version(named: $0).read().model
    }
    let mapping = MappingInference.infer(ModelPairing(from: models[0], to: models[1]))
    let folder = try TemporaryFolder()
    let result = try PairTrial(
      of: models[0], by: [mapping], names: ("2.30", "2.31"), sample: .init(rows: 20, seed: 1)
    ).run(in: LocalPath(folder.url.path))
    #expect(result.verdict == .conditional, "\(result.problems)")
    #expect(result.problems.map(\.code) == ["migrate.shared-destination"])
    #expect(result.report?.losses.contains { $0.name == "Member.user" } == true)
  }
}
