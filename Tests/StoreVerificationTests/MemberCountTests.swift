import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// `minCount` and `maxCount` of to-many relationships: a write can't move an owner out of its bounds.
@Suite struct MemberCountTests {
  /// A team has two or three players and any number of fans. A club has either no fans or at least two.
  static let model = DataModel(
    name: "Bounds",
    entities: [
      EntityDescription(
        name: "Club", attributes: [name],
        relationships: [
          toMany("fans", "Player", inverse: "clubs", minimum: 2, isOptional: true)
        ]),
      EntityDescription(
        name: "Player", attributes: [name],
        relationships: [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "players", isOptional: true),
          SampleModels.toMany("clubs", "Club", inverse: "fans"),
        ],
        uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Team", attributes: [name],
        relationships: [toMany("players", "Player", inverse: "team", minimum: 2, maximum: 3)],
        uniquenessConstraints: [["name"]]),
    ])

  private static let name = AttributeDescription(name: "name", type: .string)

  private static func toMany(
    _ name: String, _ destination: String, inverse: String, minimum: Int, maximum: Int? = nil,
    isOptional: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: false), isOptional: isOptional, minimumCount: minimum,
      maximumCount: maximum)
  }

  /// Team p1 has players 1 to 3, team p2 has players 4 and 5, and player 6 has no team. The club's fans are 1 and 2.
  private func made() throws -> GraphStore {
    let made = try GraphStore(Self.model)
    try made.importing(
      """
      {"$entity": "Team", "name": "A", "players": [{"$id": "a", "name": "1"}, {"$id": "b", "name": "2"}, {"name": "3"}]}
      {"$entity": "Team", "name": "B", "players": [{"name": "4"}, {"name": "5"}]}
      {"$entity": "Player", "name": "6"}
      {"$entity": "Club", "name": "C", "fans": ["a", "b"]}
      """)
    return made
  }

  /// Returns the messages of a refusal, and expects that the store is unchanged; empty if the write succeeds.
  private func refusal(_ write: (GraphStore) throws -> Void) throws -> [String] {
    let made = try made()
    let before = try made.dump()
    do {
      try write(made)
      return []
    } catch let error as any DiagnosableError {
      #expect(try made.dump() == before)
      #expect(error.diagnostics.allSatisfy { $0.cause == .invalid })
      return error.diagnostics.map(\.message)
    }
  }

  private func deleting(_ predicate: String, of entity: String = "Player") throws -> [String] {
    try refusal { made in
      let request = BatchDelete(entity: entity, predicate: try FormatPredicate(parsing: predicate))
      let plan = try request.plan(in: made.layout)
      var shown: [DiagnosticMessage] = []
      do {
        _ = try made.store.dryRunOfDeletion(plan, in: made.layout)
      } catch let refusal as DeletionRefusal { shown = refusal.diagnostics }
      do {
        _ = try made.store.delete(plan, in: made.layout)
        #expect(shown.isEmpty)
      } catch let refusal as DeletionRefusal {
        #expect(refusal.diagnostics == shown, "a dry run reports the same")
        throw refusal
      }
    }.map { $0.replacing(#/x-coredata:\/\/[^\/]*\//#, with: "") }
  }

  @Test func deletingMembers() throws {
    #expect(try deleting("name == '3'") == [])
    #expect(
      try deleting("name IN {'4', '3'}") == [
        "after the deletion, 1 'Team' row would have too few 'players' (minimum 2): Team/p2"
      ])
    #expect(
      try deleting("name == '1'") == [
        "after the deletion, 1 'Club' row would have too few 'fans' (minimum 2): Club/p1"
      ])
    #expect(
      try deleting("name IN {'1', '2'}") == [
        "after the deletion, 1 'Team' row would have too few 'players' (minimum 2): Team/p1"
      ], "an optional one may be empty")
    #expect(try deleting("name == 'A'", of: "Team") == [])
  }

  @Test(arguments: [
    ("team:=(name == 'B')", "name == '6'", []),
    (
      "team:=(name == 'A')", "name == '6'",
      ["'Team.players' can have at most 3 members (maxCount): Team p1 would have 4"]
    ),
    (
      "team:=nil", "name == '4'",
      ["'Team.players' requires at least 2 members (minCount): Team p2 would have 1"]
    ),
    ("team:=nil", "name == '3'", []),
  ])
  func updatingReferences(_ value: String, _ predicate: String, _ expected: [String]) throws {
    #expect(
      try refusal { try $0.update("Player", [value], where: predicate) }
        == expected)
    #expect(
      try refusal {
        try $0.update("Player", [value], where: predicate, validates: false)
      } == [])
  }

  private func inserting(
    _ text: String, on policy: ConflictPolicy = .fail, validates: Bool = true
  ) throws -> [String] {
    try refusal { made in
      let plan = try InsertPlan(entity: "Player", in: made.layout)
      _ = try made.store.insert(
        MemorySource(text), format: .json, by: plan, in: made.layout, on: policy,
        validates: validates)
    }
  }

  @Test func insertingMembers() throws {
    let full = ["'Team.players' can have at most 3 members (maxCount): Team p1 would have 4"]
    #expect(try inserting(#"{"name": "7", "team": "B"} {"name": "8"}"#) == [])
    #expect(try inserting(#"{"name": "7", "team": "A"}"#) == full)
    #expect(try inserting(#"{"name": "7", "team": "A"}"#, validates: false) == [])
    #expect(try inserting(#"{"name": "6", "team": "A"}"#, on: .update) == full)
    #expect(try inserting(#"{"name": "6", "team": "A"}"#, on: .ignore) == [])
    #expect(
      try inserting(#"{"name": "5", "team": null}"#, on: .update) == [
        "'Team.players' requires at least 2 members (minCount): Team p2 would have 1"
      ])
    #expect(
      try refusal { made in
        try made.store.write { connection in
          let row = try RowInsertion(
            into: "Player", in: made.layout, store: made.store.metadata.uuid, on: connection)
          _ = try row.run([Assignment("name=7"), Assignment("team:=(name == 'A')")])
        }
      } == full)
  }

  /// Only an import can insert a row with members. Other commands add them later.
  @Test func newOwners() throws {
    func importing(_ text: String) throws -> [String] {
      try refusal { try $0.importing(text, entity: "Team") }
    }
    #expect(try importing(#"{"name": "N", "players": [{"name": "7"}, {"name": "8"}]}"#) == [])
    #expect(
      try importing(#"{"name": "N", "players": [{"name": "7"}]}"#) == [
        "'Team.players' requires at least 2 members (minCount): Team p3 would have 1"
      ])
    #expect(
      try importing(#"{"name": "N", "players": ["6"]}"#).count == 1)
    let made = try made()
    try made.store.write { connection in
      let row = try RowInsertion(
        into: "Team", in: made.layout, store: made.store.metadata.uuid, on: connection)
      _ = try row.run([Assignment("name=N")])
    }
    let findings = try made.store.verify(in: made.layout)
      .filter { $0.code == "verify.member-count" }
    #expect(
      findings.map(\.diagnostic.message)
        == ["'Team.players' must have 2 to 3 members, but doesn't in 1 row"])
    #expect(findings.map(\.severity) == [.warning])
    // Adding members one by one is allowed, although the team still has too few.
    try made.update("Player", ["team:=(name == 'N')"], where: "name == '3'")
  }

  /// A model without such rules doesn't need any checks.
  @Test func mostModelsHaveNone() {
    #expect(StoreLayout(model: SampleModels.library).memberCountRules.isEmpty)
    #expect(
      StoreLayout(model: Self.model).memberCountRules.map(\.name) == ["Club.fans", "Team.players"])
  }
}
