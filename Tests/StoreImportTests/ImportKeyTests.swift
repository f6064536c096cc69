import CSQLite
import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Objects with equal values of a key are the same object.
@Suite struct ImportKeyTests {
  /// Team (unique name), Player (unique number), City (related by its zip, which is not unique), Badge.
  static let model = DataModel(
    name: "League",
    entities: [
      EntityDescription(
        name: "Team",
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "color", type: .string, isOptional: true),
          AttributeDescription(name: "points", type: .integer32, defaultValue: .integer(3)),
        ],
        relationships: [
          SampleModels.toMany("players", "Player", inverse: "team"),
          SampleModels.toMany("fans", "City", inverse: "likes"),
          RelationshipDescription(
            name: "badge", destination: "Badge", inverse: "team", isOptional: true),
        ],
        uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Player",
        attributes: [
          AttributeDescription(name: "number", type: .integer32),
          AttributeDescription(name: "nick", type: .string),
        ],
        relationships: [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "players", isOptional: true),
          RelationshipDescription(
            name: "home", destination: "City", isOptional: true,
            userInfo: ["relatedByAttribute": "zip"]),
        ],
        uniquenessConstraints: [["number"]]),
      EntityDescription(
        name: "Keeper", parent: "Player",
        attributes: [AttributeDescription(name: "saves", type: .integer32, isOptional: true)]),
      EntityDescription(
        name: "City",
        attributes: [
          AttributeDescription(name: "zip", type: .string, isOptional: true),
          AttributeDescription(name: "name", type: .string, isOptional: true),
        ],
        relationships: [SampleModels.toMany("likes", "Team", inverse: "fans", ordered: true)]),
      EntityDescription(
        name: "Badge",
        attributes: [AttributeDescription(name: "text", type: .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "badge", isOptional: true)
        ]),
    ])

  private func store(history: Bool = false) throws -> GraphStore {
    let made = try GraphStore(Self.model)
    guard history else { return made }
    try made.store.close()
    try made.file.keepHistory()
    return try GraphStore(reopening: made)
  }

  @discardableResult
  private func importing(
    _ made: GraphStore, _ text: String, entity: String? = "Player",
    on policy: ConflictPolicy = .fail, members: MemberPolicy = .replace
  ) throws -> GraphImport.Result {
    let work = try GraphImport(
      into: made.layout, store: made.store.metadata.uuid, entity: entity, rules: [], root: [],
      isStrict: true, on: policy, members: members)
    let source = MemorySource(Array(text.utf8), name: "in.json")
    return try made.store.write { try work.run(source, on: $0) }
  }

  private let teams: SQL = "SELECT Z_PK, Z_OPT, ZNAME, ZCOLOR, ZPOINTS FROM ZTEAM ORDER BY 1"
  private let players: SQL = "SELECT Z_PK, Z_ENT, ZNUMBER, ZNICK, ZTEAM FROM ZPLAYER ORDER BY 1"

  private func maxima(_ made: GraphStore) throws -> [String] {
    try made.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY 1")
  }

  @Test func equalObjectsOfTheInputAreOneRow() throws {
    let made = try store()
    let outcome = try importing(
      made,
      """
      {"number": 1, "nick": "A", "team": {"name": "Tigers"}}
      {"number": 2, "nick": "B", "team": {"name": "Bears", "points": 1}}
      {"number": 3, "nick": "C", "team": {"color": "red", "name": "Tigers"}}
      {"number": 4, "nick": "D", "team": "Bears"} {"$entity": "Team", "name": "Tigers"}
      """)
    #expect(try made.rows(teams) == ["1 1 'Tigers' 'red' 3", "2 1 'Bears' NULL 1"])
    #expect(
      try made.rows(players) == ["1 3 1 'A' 1", "2 3 2 'B' 2", "3 3 3 'C' 1", "4 3 4 'D' 2"])
    #expect(outcome.inserted == ["Team": 2, "Player": 4])
    #expect(outcome.updated == [:] && outcome.unchanged == 0)
    #expect(try maxima(made) == ["'Player' 4", "'Team' 2"])
  }

  @Test func rowsOfTheStoreAreFoundByTheirKeys() throws {
    let made = try store()
    try importing(made, #"{"name": "Tigers", "color": "red"} {"name": "Bears"}"#, entity: "Team")
    let again = try made.dump()
    let text = #"{"name": "Bears"} {"name": "Tigers", "color": "red"}"#
    #expect(throws: RowError.self) { try importing(made, text, entity: "Team") }
    let same = try importing(made, text, entity: "Team", on: .update)
    #expect(same.inserted == [:] && same.unchanged == 2)
    #expect(try made.dump() == again, "equal records must not change rows")
    let outcome = try importing(
      made,
      #"{"number": 7, "nick": "A", "team": {"name": "Bears"}} {"number": 8, "nick": "B", "team": "Tigers"}"#
    )
    #expect(outcome.inserted == ["Player": 2])
    #expect(try made.rows(players) == ["1 3 7 'A' 2", "2 3 8 'B' 1"])
  }

  @Test func policies() throws {
    let text =
      #"{"name": "Tigers", "color": "blue", "players": [{"number": 1, "nick": "A"}]} {"name": "Lions"}"#
    for policy in ConflictPolicy.allCases {
      let made = try store()
      try importing(made, #"{"name": "Tigers", "color": "red", "points": 9}"#, entity: "Team")
      let before = try made.dump()
      switch policy {
      case .fail:
        #expect(throws: RowError.self) { try importing(made, text, entity: "Team", on: policy) }
        #expect(try made.dump() == before)
      case .ignore:
        let outcome = try importing(made, text, entity: "Team", on: policy)
        // The row keeps its values and gains a member.
        #expect(try made.rows(teams) == ["1 2 'Tigers' 'red' 9", "3 1 'Lions' NULL 3"])
        #expect(outcome.relinked == ["Team": 1] && outcome.updated == [:])
        #expect(try made.rows(players) == ["1 3 1 'A' 1"])
      case .update:
        let outcome = try importing(made, text, entity: "Team", on: policy)
        #expect(try made.rows(teams) == ["1 2 'Tigers' 'blue' 9", "3 1 'Lions' NULL 3"])
        #expect(outcome.updated == ["Team": 1] && outcome.inserted == ["Team": 1, "Player": 1])
      }
    }
  }

  @Test func nestedObjectsMustAgree() throws {
    let made = try store()
    try importing(made, #"{"name": "T", "color": "red"}"#, entity: "Team")
    let before = try made.dump()
    for (color, isNew) in [("red", true), ("blue", false)] {
      let text = #"{"number": 1, "nick": "A", "team": {"name": "T", "color": "\#(color)"}}"#
      if isNew {
        #expect(try importing(made, text, on: .fail).relinked == ["Team": 1])
      } else {
        #expect(throws: RowError.self) {
          try importing(made, text.replacing("1", with: "2"), on: .fail)
        }
      }
    }
    #expect(try made.rows(teams) == ["1 2 'T' 'red' 3"])
    #expect(try made.dump() != before)
  }

  @Test func theFirstOrTheLastObjectIsRight() throws {
    let text = #"{"name": "T", "color": "red"} {"name": "T", "color": "blue"} {"name": "T"}"#
    for (policy, color) in [(ConflictPolicy.ignore, "red"), (.update, "blue")] {
      let made = try store()
      try importing(made, text, entity: "Team", on: policy)
      #expect(try made.rows(teams) == ["1 1 'T' '\(color)' 3"])
    }
    #expect(throws: RowError.self) { try importing(store(), text, entity: "Team") }
  }

  @Test func linksOfOldRowsMove() throws {
    let made = try store(history: true)
    try importing(
      made,
      """
      {"number": 1, "nick": "A", "team": {"name": "Tigers"}} {"number": 2, "nick": "B", "team": "Tigers"}
      {"$entity": "Team", "name": "Bears"}
      """)
    let move = #"{"number": 1, "team": "Bears"} {"number": 2, "team": "Tigers"}"#
    #expect(throws: RowError.self) { try importing(made, move) }
    try importing(made, move, on: .ignore)
    #expect(try made.rows(players) == ["1 3 1 'A' 1", "2 3 2 'B' 1"])
    try importing(made, move, on: .update)
    #expect(try made.rows(players) == ["1 3 1 'A' 2", "2 3 2 'B' 1"])
    let changes = try made.store.read { try $0.changes(in: 2, of: made.layout) }
    #expect(
      Set(changes) == ["update Player 1 team", "update Team 1 players", "update Team 2 players"])
    // The list of the old owner takes the members back.
    try importing(
      made, #"{"name": "Bears", "color": "red", "players": [{"number": 2}, {"number": 1}]}"#,
      entity: "Team", on: .update)
    #expect(try made.rows(players) == ["1 3 1 'A' 2", "2 3 2 'B' 2"])
    #expect(
      Set(try made.store.read { try $0.changes(in: 3, of: made.layout) }) == [
        "update Player 2 team", "update Team 1 players", "update Team 2 color, players",
      ])
    try importing(
      made, #"{"name": "Bears", "badge": {"text": "b"}}"#, entity: "Team", on: .ignore)
    #expect(try made.rows("SELECT ZBADGE FROM ZTEAM") == ["NULL", "NULL"])
  }

  @Test func namedAttributesFindRowsToo() throws {
    let made = try store()
    try importing(
      made,
      """
      {"number": 1, "nick": "A", "home": {"zip": "10", "name": "X"}} {"number": 2, "nick": "B", "home": "10"}
      {"number": 3, "nick": "C", "home": 20} {"$entity": "City", "zip": "20"}
      {"$entity": "City", "name": "no zip"} {"$entity": "City", "zip": null}
      """)
    #expect(try made.rows("SELECT ZNUMBER, ZHOME FROM ZPLAYER") == ["1 1", "2 1", "3 2"])
    #expect(
      Set(try made.rows("SELECT ZZIP, ZNAME FROM ZCITY")) == [
        "'10' 'X'", "'20' NULL", "NULL 'no zip'", "NULL NULL",
      ])
    #expect(throws: ImportError.self) {
      try importing(made, #"{"number": 4, "nick": "D", "home": "30"}"#)
    }
    // A `$id` distinguishes objects with equal attributes, so an export can be imported unchanged.
    try importing(made, #"{"$id": "a", "zip": "10"} {"$id": "b", "zip": "10"}"#, entity: "City")
    #expect(try made.rows("SELECT count(*) FROM ZCITY WHERE ZZIP = '10'") == ["3"])
    for text in [
      #"{"number": 4, "nick": "D", "home": "10"}"#,
      #"{"number": 4, "nick": "D", "home": {"zip": "10"}}"#,
    ] {
      #expect(throws: (any Error).self) { try importing(made, text) }
    }
    let copy = try store()
    try importing(copy, made.exported(), entity: nil)
    #expect(
      try copy.rows("SELECT ZZIP, ZNAME FROM ZCITY") == made.rows("SELECT ZZIP, ZNAME FROM ZCITY"))
  }

  @Test func orderedMembersComeBehindTheOthersOfAnOldOwner() throws {
    let made = try store()
    try importing(
      made, #"{"zip": "1", "likes": [{"name": "A"}, {"name": "B"}]}"#, entity: "City")
    try importing(
      made,
      #"{"zip": "1", "likes": [{"name": "C"}, "A", {"name": "C"}]} {"zip": "1", "likes": ["D"]} {"$entity": "Team", "name": "D"}"#,
      entity: "City", on: .update, members: .add)
    let exported = try made.exported(["City"])
    let prefix = "x-coredata://\(made.store.metadata.uuid)/Team/p"
    let members = exported.split(separator: prefix).dropFirst().compactMap {
      $0.first.map(String.init)
    }
    #expect(members == ["1", "2", "3", "5"], "\(exported)")
  }

  @Test func anObjectMayBeARowOfASubentity() throws {
    let made = try store()
    try importing(
      made,
      #"{"number": 1, "nick": "A"} {"$entity": "Keeper", "number": 1, "nick": "A", "saves": 2} {"$entity": "Team", "name": "T", "players": [1]}"#,
      on: .update
    )
    #expect(try made.rows(players) == ["2 4 1 'A' 1"])
    // A row can't become one of a sub-entity.
    try importing(made, #"{"number": 2, "nick": "B"}"#)
    let before = try made.dump()
    #expect(throws: RowError.self) {
      try importing(made, #"{"$entity": "Keeper", "number": 2, "nick": "B"}"#)
    }
    #expect(throws: RowError.self) { try importing(made, #"{"number": 3}"#) }
    #expect(try made.dump() == before)
  }

  /// More objects don't require more statements, only more rows for each statement.
  @Test func statementsDoNotGrowWithTheObjects() throws {
    func statements(_ count: Int) throws -> (prepared: Int, run: Int) {
      let made = try store()
      try importing(
        made, (0..<50).map { #"{"name": "T\#($0)"}"# }.joined(), entity: "Team")
      let text = (0..<count).map {
        #"{"number": \#($0), "nick": "n", "team": {"name": "T\#($0 % 100)"}, "home": {"zip": "\#($0 % 7)"}} {"number": \#($0), "team": "T\#($0 % 100)", "home": "\#($0 % 7)"}"#
      }.joined(separator: "\n")
      let work = try GraphImport(
        into: made.layout, store: made.store.metadata.uuid, entity: "Player", rules: [], root: [],
        isStrict: true, on: .update)
      return try made.store.write { connection in
        let counter = StatementCounter(connection)
        _ = try work.run(MemorySource(Array(text.utf8), name: "in.json"), on: connection)
        return (counter.count(of: { !$0.hasPrefix("INSERT") }), counter.total)
      }
    }
    let (few, many) = (try statements(200), try statements(2000))
    #expect(few.prepared == many.prepared)
    #expect(few.prepared > 20)
    // Each line has four objects and four links, with one INSERT each.
    #expect(many.run - few.run == 1800 * 8)
  }
}

/// Counts the statements that a connection runs, by their text.
private final class StatementCounter {
  private(set) var runs: [String: Int] = [:]
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
    sqlite3_trace_v2(
      connection.handle, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, _ in
        guard let context, let statement,
          let text = sqlite3_sql(OpaquePointer(statement))
        else { return 0 }
        Unmanaged<StatementCounter>.fromOpaque(context).takeUnretainedValue()
          .runs[String(cString: text), default: 0] += 1
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_trace_v2(connection.handle, 0, nil, nil) }

  var total: Int { runs.values.reduce(0, +) }

  func count(of isMeant: (String) -> Bool) -> Int {
    runs.filter { isMeant($0.key) }.values.reduce(0, +)
  }
}
