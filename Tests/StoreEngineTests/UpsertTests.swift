import SampleData
import SeededRandom
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing

@testable import RecordFormats
@testable import StoreCore
@testable import SQLiteAccess

/// `storetool batch-insert --on-conflict`: records that match rows with the same unique values.
@Suite struct UpsertTests {
  private func store(history: Bool = false) throws -> GraphStore {
    let made = try GraphStore(SampleModels.league)
    guard history else { return made }
    try made.store.close()
    try made.file.keepHistory()
    return try GraphStore(reopening: made)
  }

  // MARK: Keys

  /// A model whose players don't have a uniqueness constraint.
  private static let model = DataModel(
    name: "Keyless",
    entities: [
      EntityDescription(
        name: "Team", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [SampleModels.toMany("players", "Player", inverse: "team")],
        uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Player",
        attributes: [
          AttributeDescription(name: "name", type: .string, isOptional: true),
          AttributeDescription(name: "goals", type: .integer32, defaultValue: .integer(0)),
        ],
        relationships: [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "players", isOptional: true)
        ]),
    ])

  /// Inserts players by a key without a constraint.
  private func insertPlayers(
    _ made: GraphStore, _ text: String, on policy: ConflictPolicy = .update,
    key: [String] = ["name"]
  ) throws -> InsertResult {
    try made.store.insert(
      MemorySource(Array(text.utf8), name: "in.json"), format: .json,
      by: InsertPlan(entity: "Player", in: made.layout), in: made.layout, on: policy, key: key)
  }

  private let players: SQL =
    "SELECT Z_PK, Z_OPT, ZNAME, ZGOALS, ZTEAM FROM ZPLAYER ORDER BY Z_PK"

  @Test func withoutAKeyOnlyFailIsPossible() throws {
    let made = try GraphStore(Self.model)
    for policy in [ConflictPolicy.update, .ignore] {
      #expect(throws: InsertPlanError.noKey(entity: "Player", policy)) {
        try insert(made, "Player", #"{"name": "Ada"}"#, on: policy)
      }
    }
    #expect(try made.rows("SELECT count(*) FROM ZPLAYER") == ["0"])
  }

  @Test func aChosenKeyFindsRows() throws {
    let first = try GraphStore(Self.model)
    try first.store.close()
    try first.file.keepHistory()
    let made = try GraphStore(reopening: first)
    try insert(made, "Team", #"{"name": "Tigers"}"#)
    var result = try insertPlayers(
      made, #"{"name": "Ada", "goals": 1, "team": "Tigers"} {"name": "Bea"}"#)
    #expect(result == outcome(2, 0, 0))
    result = try insertPlayers(
      made, #"{"name": "Ada", "goals": 2} {"name": "Bea"} {"name": "Cyd"} {"goals": 7}"#)
    #expect(
      result
        == .init(inserted: 2, updated: 1, unchanged: 1, roundedDecimals: 0, withoutKeyValue: 1))
    #expect(
      try made.rows(players) == [
        "1 2 'Ada' 2 1", "2 1 'Bea' 0 NULL", "3 1 'Cyd' 0 NULL", "4 1 NULL 7 NULL",
      ])
    #expect(
      try made.store.read { try $0.changes(in: 3, of: made.layout) } == [
        "update Player 1 goals", "insert Player 3", "insert Player 4",
      ])
    #expect(
      try insertPlayers(made, #"{"name": "Ada", "goals": 9} {"name": "Dee"}"#, on: .ignore)
        == outcome(1, 0, 1))
    // A to-one changes, and so do both owners.
    _ = try insertPlayers(made, #"{"name": "Ada", "team": null}"#)
    #expect(try made.rows("SELECT Z_OPT FROM ZTEAM") == ["3"])
  }

  @Test func aKeyMustBeOneRow() throws {
    let made = try GraphStore(Self.model)
    _ = try insertPlayers(
      made, #"{"name": "Ada", "goals": 1} {"name": "Ada", "goals": 2}"#, key: ["name", "goals"])
    for text in [
      #"{"name": "Ada"}"#, #"{"name": "Bea"} {"name": "Bea", "goals": 1}"#,
    ] {
      #expect(throws: RowError.self) { try insertPlayers(made, text) }
    }
    #expect(throws: RowError.self) {
      try insertPlayers(made, #"{"name": "Ada", "goals": 1}"#, on: .fail, key: ["name", "goals"])
    }
    #expect(throws: InsertPlanError.self) { try insertPlayers(made, "{}", key: ["nmae"]) }
    #expect(throws: InsertPlanError.self) { try insertPlayers(made, "{}", key: ["team"]) }
    #expect(try made.rows("SELECT count(*) FROM ZPLAYER") == ["2"])
  }

  @discardableResult
  private func insert(
    _ made: GraphStore, _ entity: String, _ text: String, on policy: ConflictPolicy = .fail,
    format: RecordFormat = .json, validates: Bool = true
  ) throws -> InsertResult {
    try made.store.insert(
      MemorySource(Array(text.utf8), name: "in.json"), format: format,
      by: InsertPlan(entity: entity, in: made.layout), in: made.layout, on: policy,
      validates: validates)
  }

  private func outcome(_ inserted: Int, _ updated: Int, _ unchanged: Int) -> InsertResult {
    .init(inserted: inserted, updated: updated, unchanged: unchanged, roundedDecimals: 0)
  }

  private let teams: SQL = "SELECT Z_PK, Z_OPT, ZNAME, ZCITY, ZPOINTS FROM ZTEAM ORDER BY Z_PK"

  @Test func aTeamIsInsertedOnlyIfItsNameIsNew() throws {
    let made = try store()
    try insert(made, "Team", #"{"name": "Tigers", "city": "Ulm"} {"name": "Bears"}"#)
    #expect(
      try insert(
        made, "Team", #"{"name": "Lions"} {"name": "Tigers", "city": "Rom"} {"name": "Lions"}"#,
        on: .ignore) == outcome(1, 0, 2))
    #expect(
      try made.rows(teams) == [
        "1 1 'Tigers' 'Ulm' 0", "2 1 'Bears' NULL 0", "3 1 'Lions' NULL 0",
      ])
    #expect(try made.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team'") == ["3"])
  }

  @Test func onlyTheGivenAttributesChange() throws {
    let made = try store()
    try insert(
      made, "Team",
      #"{"name": "Tigers", "city": "Ulm", "points": 3} {"name": "Bears", "points": 5}"#)
    #expect(
      try insert(
        made, "Team",
        """
        {"name": "Tigers", "points": 4} {"name": "Bears", "city": "Rom"} {"name": "Lions"}
        {"name": "Tigers", "points": 4} {"name": "Bears"} {"name": "Bears", "city": null}
        """, on: .update) == outcome(1, 3, 2))
    #expect(
      try made.rows(teams) == [
        "1 2 'Tigers' 'Ulm' 4", "2 3 'Bears' NULL 5", "3 1 'Lions' NULL 0",
      ])
  }

  @Test func csvGivesAllItsColumns() throws {
    let made = try store()
    try insert(made, "Team", #"{"name": "Tigers", "city": "Ulm", "points": 3}"#)
    #expect(
      try insert(
        made, "Team", "name,city\nTigers,\nBears,Rom\n", on: .update, format: .csv)
        == outcome(1, 1, 0))
    #expect(try made.rows(teams) == ["1 2 'Tigers' NULL 3", "2 1 'Bears' 'Rom' 0"])
  }

  @Test func anyConstraintFindsTheRow() throws {
    let made = try store()
    try insert(made, "Team", #"{"name": "Tigers", "city": "Ulm", "founded": "1990-01-01"}"#)
    #expect(
      try insert(
        made, "Team", #"{"name": "Cats", "city": "Ulm", "founded": "1990-01-01"}"#, on: .update)
        == outcome(0, 1, 0))
    #expect(try made.rows(teams) == ["1 2 'Cats' 'Ulm' 0"])
  }

  /// One record can't match two rows.
  @Test func aRecordThatMeetsTwoRowsIsRefused() throws {
    let made = try store()
    try insert(
      made, "Team",
      #"{"name": "A", "city": "Ulm", "founded": "1990-01-01"} {"name": "B", "points": 1}"#)
    let before = try made.dump()
    #expect(throws: RowError.self) {
      try insert(
        made, "Team", #"{"name": "B", "city": "Ulm", "founded": "1990-01-01"}"#, on: .update)
    }
    #expect(try made.dump() == before)
  }

  @Test func aNewRowNeedsItsRequiredValues() throws {
    let made = try store()
    try insert(made, "Player", #"{"number": 7}"#)
    try insert(made, "Team", #"{"name": "A", "city": "Ulm", "founded": "1990-01-01"}"#)
    // The other constraint identifies the row, which already has a name.
    #expect(
      try insert(
        made, "Team", #"{"city": "Ulm", "founded": "1990-01-01", "points": 9}"#, on: .update)
        == outcome(0, 1, 0))
    let error = #expect(throws: RowError.self) {
      try insert(made, "Team", #"{"name": "B"} {"city": "Rom"}"#, on: .update)
    }
    #expect(error?.diagnostics.map(\.message) == ["record 2: 'Team.name' requires a value"])
    #expect(try made.rows("SELECT count(*) FROM ZTEAM") == ["1"])
    try insert(made, "Team", #"{"city": "Rom", "points": -1}"#, validates: false)
    #expect(try made.rows(teams).last == "2 1 NULL 'Rom' -1")
  }

  @Test func aRowOfASiblingIsAConflict() throws {
    let made = try store()
    try insert(made, "Player", #"{"number": 7, "nick": "x"}"#)
    for policy in [ConflictPolicy.fail, .update] {
      #expect(throws: RowError.self) {
        try insert(made, "Goalkeeper", #"{"number": 7, "nick": "y"}"#, on: policy)
      }
    }
    #expect(
      try insert(made, "Goalkeeper", #"{"number": 7, "nick": "y"}"#, on: .ignore)
        == outcome(0, 0, 1))
    #expect(try made.rows("SELECT ZNICK FROM ZPLAYER") == ["'x'"])
  }

  // MARK: Relationships

  @Test func destinationsByUniqueKeyAndPredicate() throws {
    let made = try store()
    try insert(made, "Team", #"{"name": "Tigers", "city": "Ulm"} {"name": "Bears"}"#)
    try insert(
      made, "Player",
      """
      {"number": 1, "team": "Bears"} {"number": 2, "team": "(city == 'Ulm')"}
      {"number": 3, "team": "x-coredata:///Team/p1"} {"number": 4, "team": null}
      """)
    try insert(
      made, "Player", "number,team\n5,Tigers\n6,\"(name BEGINSWITH \"\"B\"\")\"\n", format: .csv)
    try insert(made, "Team", #"{"name": "Lions", "captain": 4}"#)
    #expect(
      try made.rows("SELECT ZNUMBER, ZTEAM FROM ZPLAYER ORDER BY 1") == [
        "1 2", "2 1", "3 1", "4 NULL", "5 1", "6 2",
      ])
    // The inverse of the one-to-one references the team.
    #expect(try made.rows("SELECT ZCAPTAIN, Z1_CAPTAIN FROM ZTEAM WHERE Z_PK = 3") == ["4 1"])
    #expect(try made.rows("SELECT ZLEADS FROM ZPLAYER WHERE Z_PK = 4") == ["3"])
    #expect(
      try insert(
        made, "Player", #"{"number": 1, "team": "Tigers"} {"number": 2, "team": "Tigers"}"#,
        on: .update) == outcome(0, 1, 1))
    #expect(try made.rows("SELECT ZTEAM, Z_OPT FROM ZPLAYER WHERE ZNUMBER = 1") == ["1 2"])
  }

  @Test(arguments: [
    (#"{"number": 1, "team": "Wolves"}"#, ConflictPolicy.fail, "no 'Team' row matches name"),
    (#"{"number": 1, "team": "(name != nil)"}"#, .fail, "several 'Team' rows match"),
    (#"{"number": 1, "team": "(nmae == 1)"}"#, .fail, "no property 'nmae'"),
    (#"{"number": 1, "team": "x-coredata:///Team/p9"}"#, .fail, "Team p9, which doesn't exist"),
    (#"{"number": 9, "team": "x-coredata:///Team/p9"}"#, .update, "Team p9, which doesn't exist"),
    (#"{"number": 9, "leads": "Bears"}"#, .update, "is one-to-one or ordered"),
    (#"{"number": 1, "team": true}"#, .fail, "takes an object ID"),
  ])
  func wrongDestinations(_ input: (text: String, policy: ConflictPolicy, message: String)) throws {
    let made = try store()
    try insert(made, "Team", #"{"name": "Tigers"} {"name": "Bears"}"#)
    try insert(made, "Player", #"{"number": 9}"#)
    let before = try made.dump()
    do {
      try insert(made, "Player", input.text, on: input.policy)
      Issue.record("no error")
    } catch let error as any DiagnosableError {
      #expect(error.diagnostics.map(\.message).joined().contains(input.message))
    }
    #expect(try made.dump() == before)
  }

  @Test func historyTellsInsertsFromUpdates() throws {
    let made = try store(history: true)
    try insert(made, "Team", #"{"name": "Tigers"} {"name": "Bears"}"#)
    try insert(
      made, "Team",
      #"{"name": "Tigers", "points": 4} {"name": "Lions"} {"name": "Bears", "city": "Rom"}"#,
      on: .update)
    let changes = try made.store.read { try $0.changes(in: 2, of: made.layout) }
    #expect(
      changes == ["update Team 1 points", "update Team 2 city", "insert Team 3"])
  }

  @Test func historyHasWhatDiffersAndTheOwners() throws {
    let made = try store(history: true)
    try insert(made, "Team", #"{"name": "Tigers"} {"name": "Bears"}"#)
    try insert(
      made, "Player",
      #"{"number": 1, "nick": "A", "team": "Tigers"} {"number": 2, "nick": "B", "team": "Tigers"}"#)
    // Player 1 moves to another team. Player 2 is renamed twice.
    try insert(
      made, "Player",
      """
      {"number": 1, "nick": "A", "team": "Bears"} {"number": 2, "nick": "C", "team": "Tigers"}
      {"number": 2, "nick": "D"}
      """, on: .update)
    let changes = try made.store.read { try $0.changes(in: 3, of: made.layout) }
    #expect(
      Set(changes) == [
        "update Team 1 players", "update Team 2 players", "update Player 1 team",
        "update Player 2 nick",
      ])
    #expect(changes.count == 4)
    #expect(
      try made.rows("SELECT Z_PK, Z_OPT FROM ZTEAM ORDER BY 1") == ["1 3", "2 2"],
      "one for the two players, one for the move")
  }

  /// Inserting or updating the records one by one has the same result.
  @Test(arguments: 0..<20) func anyRecords(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let made = try store()
    var expected: [String: (city: String?, points: Int)] = [:]
    for policy in [ConflictPolicy.update, .ignore, .update] {
      var text = ""
      for _ in 0..<40 {
        let name = "T\(Int.random(in: 0..<25, using: &generator))"
        var members = [#""name": "\#(name)""#]
        var row = expected[name] ?? (nil, 0)
        let isIgnored = policy == .ignore && expected[name] != nil
        if Bool.random(using: &generator) {
          row.city =
            Bool.random(using: &generator) ? "C\(Int.random(in: 0..<3, using: &generator))" : nil
          members.append(#""city": \#(row.city.map { "\"\($0)\"" } ?? "null")"#)
        }
        if Bool.random(using: &generator) {
          row.points = Int.random(in: 0..<3, using: &generator)
          members.append(#""points": \#(row.points)"#)
        }
        if !isIgnored { expected[name] = row }
        text += "{\(members.joined(separator: ", "))}\n"
      }
      try insert(made, "Team", text, on: policy)
    }
    let found = try made.rows("SELECT ZNAME, ZCITY, ZPOINTS FROM ZTEAM ORDER BY ZNAME")
    let wanted = expected.sorted { $0.key < $1.key }.map { name, row in
      "'\(name)' \(row.city.map { "'\($0)'" } ?? "NULL") \(row.points)"
    }
    #expect(found == wanted, "seed \(seed)")
  }
}
