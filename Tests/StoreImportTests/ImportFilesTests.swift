import SampleData
import StoreDiagnostics
import StoreModel
import SQLiteAccess
import StoreTestSupport
import Testing

@testable import RecordFormats
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Several files in one import, and links to rows that aren't in any of them.
@Suite struct ImportFilesTests {
  private func importing(
    _ made: GraphStore, _ files: [(name: String, text: String)], entity: String? = nil,
    links: MissingLinkPolicy = .wait
  ) throws -> GraphImport.Result {
    let work = try GraphImport(
      into: made.layout, store: made.store.metadata.uuid, entity: entity, rules: [], root: [],
      isStrict: true, on: .update, links: links)
    let inputs = files.map { file in
      ImportInput(
        MemorySource(Array(file.text.utf8), name: file.name),
        format: file.name.hasSuffix(".csv") ? .csv : .json)
    }
    return try made.store.write { try work.run(inputs, on: $0) }
  }

  @Test func aRecordMayReferToOneOfALaterFile() throws {
    let made = try GraphStore(ImportKeyTests.model)
    let outcome = try importing(
      made,
      [
        ("players.csv", "$entity,number,nick,team\nPlayer,1,A,Tigers\nPlayer,2,B,b\n"),
        ("teams.json", #"{"$entity": "Team", "name": "Tigers"}"#),
        ("more.json", #"{"$entity": "Team", "$id": "b", "name": "Bears"}"#),
      ])
    #expect(outcome.records == 4 && outcome.inserted == ["Player": 2, "Team": 2])
    #expect(
      try made.rows(
        "SELECT p.ZNICK, t.ZNAME FROM ZPLAYER AS p JOIN ZTEAM AS t ON t.Z_PK = p.ZTEAM ORDER BY 1")
        == ["'A' 'Tigers'", "'B' 'Bears'"])
  }

  @Test func messagesNameTheFileAndItsRecord() throws {
    let made = try GraphStore(ImportKeyTests.model)
    let first = ("a.json", #"{"$entity": "Team", "name": "A"} {"$entity": "Team", "name": "B"}"#)
    let wrong = ("b.json", "\n" + #" {"$entity": "Player", "number": 1, "nick": 7, "team": "C"}"#)
    #expect(
      throws: ImportError.dangling([
        .init(relationship: "Player.team", target: "C", record: 1, file: "b.json")
      ])
    ) {
      try importing(made, [first, wrong])
    }
    let missing = ("b.json", "\n" + #" {"$entity": "Player", "number": 1}"#)
    let error = #expect(throws: RowError.self) { try importing(made, [first, missing]) }
    #expect(error?.record == 1 && error?.place?.file == "b.json" && error?.place?.line == 2)
    #expect(try made.exported() == "")
  }

  @Test func missingLinksMayBeLeftOut() throws {
    let made = try GraphStore(ImportKeyTests.model)
    _ = try importing(
      made,
      [
        (
          "a",
          #"{"name": "A", "players": [{"number": 1, "nick": "x"}, {"number": 2, "nick": "y"}]}"#
        )
      ],
      entity: "Team")
    let text =
      #"{"number": 1, "team": "Nowhere"} {"$entity": "Team", "name": "A", "players": [2, 9]}"#
    #expect(throws: ImportError.self) { try importing(made, [("b", text)], entity: "Player") }
    let outcome = try importing(made, [("b", text)], entity: "Player", links: .skip)
    #expect(outcome.skippedLinks == ["Player.team": 1, "Team.players": 1])
    #expect(try made.rows("SELECT ZNUMBER, ZTEAM FROM ZPLAYER") == ["1 NULL", "2 1"])
  }

  @Test func aRequiredLinkThatIsLeftOutIsMissing() throws {
    let made = try GraphStore()
    let text = #"{"$entity": "Passport", "holder": "nobody"}"#
    let error = #expect(throws: RowError.self) { try importing(made, [("a", text)], links: .skip) }
    #expect(error?.kind == .value(property: "holder", shown: "", .missing))
  }
}
