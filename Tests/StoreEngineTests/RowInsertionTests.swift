import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import StoreCore
@testable import StoreLayout
@testable import SQLiteAccess

/// `storetool insert`: one row from assignments.
@Suite struct RowInsertionTests {
  static let model = BatchInsertTests.shop

  private func shop() throws -> GraphStore {
    let made = try GraphStore(Self.model)
    try insert(made, "Shelf", "name=low")
    try insert(made, "Shelf", "name=high")
    try insert(made, "Tag")
    return made
  }

  @discardableResult
  private func insert(
    _ made: GraphStore, _ entity: String, _ assignments: String...
  ) throws -> String {
    try insert(made, entity, assignments)
  }

  private func insert(
    _ made: GraphStore, _ entity: String, _ assignments: [String]
  ) throws -> String {
    try made.store.write { connection in
      try RowInsertion(
        into: entity, in: made.layout, store: made.store.metadata.uuid, on: connection
      ).run(Assignment.list(assignments)).uri
    }
  }

  /// Compares the stored value of one attribute after one assignment.
  @Test(
    arguments: [
      ("count=-5", "ZCOUNT", "-5"), ("count=null", "ZCOUNT", "NULL"),
      ("count:=nil", "ZCOUNT", "NULL"),
      ("count:=40 + 2", "ZCOUNT", "42"), ("count:=2 * (3 - 5)", "ZCOUNT", "-4"),
      ("count:=10 / 5", "ZCOUNT", "2"), ("code=null", "ZCODE", "'null'"), ("code=", "ZCODE", "''"),
      ("code:=nil", "ZCODE", "NULL"), ("code=a=b", "ZCODE", "'a=b'"),
      ("code=it's \"x\"\n🧋", "ZCODE", "'it's \"x\"\n🧋'"),
      ("code:='it''s'", "ZCODE", nil), (#"code:="a" "#, "ZCODE", "'a'"),
      ("code:=uppercase:('räy')", "ZCODE", "'RÄY'"), ("price=12.50", "ZPRICE", "12.5"),
      ("price=7.0", "ZPRICE", "7"), ("price:=1.5 + 1", "ZPRICE", "2.5"),
      ("weight=0.1", "ZWEIGHT", "0.10000000149011612"),
      ("weight:=0.1", "ZWEIGHT", "0.10000000149011612"), ("size:=1", "ZSIZE", "1.0"),
      ("size=1e3", "ZSIZE", "1000.0"), ("sold=yes", "ZSOLD", "1"), ("sold=0", "ZSOLD", "0"),
      ("sold:=true", "ZSOLD", "1"), ("sold:=NO", "ZSOLD", "0"),
      ("since=2001-01-02", "ZSINCE", "86400"),
      ("since=2001-01-01T00:00:00.5+01:00", "ZSINCE", "-3599.5"),
      (
        "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "ZID",
        "xe6.21.e1.f8.c3.6c.49.5a.93.fc.c.24.7a.3e.6e.5f"
      ),
      ("blob=AQI=", "ZBLOB", "x1.2"), ("photo=AwQ=", "ZPHOTO", "x1.3.4"),
      ("name=null", "ZNAME", nil),
    ] as [(String, String, String?)])
  func valuesOfEveryType(assignment: String, column: String, stored: String?) throws {
    let made = try shop()
    guard let stored else {
      #expect(throws: (any Error).self) { try insert(made, "Product", assignment) }
      return
    }
    let id = try insert(made, "Product", assignment)
    #expect(id == "x-coredata://\(made.store.metadata.uuid)/Product/p1")
    #expect(try made.rows("SELECT \(name: column) FROM ZTHING") == [stored])
    #expect(try made.rows("SELECT Z_PK, Z_ENT, Z_OPT FROM ZTHING") == ["1 4 1"])
  }

  @Test func nowIsTheTimeOfTheInsertion() throws {
    let made = try shop()
    try insert(made, "Product", "since:=now()")
    #expect(
      try made.rows("SELECT abs(ZSINCE + 978307200 - strftime('%s', 'now')) < 60 FROM ZTHING") == [
        "1"
      ])
  }

  @Test func defaultsAndCounters() throws {
    let made = try shop()
    try insert(made, "Product")
    try insert(made, "Product", "count=7")
    #expect(try made.rows("SELECT Z_PK, ZCOUNT FROM ZTHING") == ["1 3", "2 7"])
    #expect(
      try made.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        == ["'Shelf' 2", "'Tag' 1", "'Thing' 2", "'Product' 0"])
  }

  @Test func aRelationshipTakesARowInThreeForms() throws {
    let made = try shop()
    try insert(made, "Product", #"shelf:=(name == "high")"#)
    try insert(made, "Product", #"shelf:= (name == "high")"#)
    try insert(made, "Product", "shelf=x-coredata:///Shelf/p2")
    try insert(made, "Product", #"shelf:="x-coredata:///Shelf/p1""#)
    try insert(made, "Product", "shelf=null")
    try insert(made, "Product", "shelf:=nil")
    #expect(
      try made.rows("SELECT ZSHELF, Z_FOK_SHELF FROM ZTHING ORDER BY Z_PK")
        == ["2 2048", "2 3072", "2 4096", "1 2048", "NULL NULL", "NULL NULL"])
  }

  @Test func anIDOfASubentityIsItsOwn() throws {
    let made = try shop()
    try insert(made, "Product", "code=a")
    try insert(made, "Tag", #"about:=(code == "a")"#)
    #expect(try made.rows("SELECT ZABOUT, Z3_ABOUT FROM ZTAG WHERE Z_PK = 2") == ["1 4"])
  }

  @Test func theFormerPartnerOfAOneToOneLetsGo() throws {
    let made = try shop()
    try insert(made, "Product", "tag=x-coredata:///Tag/p1")
    #expect(try made.rows("SELECT Z_OPT, ZPRODUCT FROM ZTAG") == ["2 1"])
    try insert(made, "Product", "tag=x-coredata:///Tag/p1")
    #expect(try made.rows("SELECT Z_OPT, ZPRODUCT FROM ZTAG") == ["3 2"])
    #expect(try made.rows("SELECT Z_PK, Z_OPT, ZTAG FROM ZTHING") == ["1 2 NULL", "2 1 1"])
  }

  static let mistakes: [(entity: String, assignments: [String])] = [
    ("Prduct", []), ("Thing", []), ("Product", ["nmae=a"]), ("Product", ["name"]),
    ("Product", ["=a"]), ("Product", ["name=A1", "name=A2"]), ("Product", ["cache=a"]),
    ("Product", ["notes=a"]), ("Product", ["count=a"]), ("Product", ["count=40000"]),
    ("Product", ["count:=40000"]), ("Product", ["count:=1.5"]), ("Product", [#"count:="a""#]),
    ("Product", ["count:={1, 2}"]), ("Product", ["count:=count + 1"]), ("Product", ["count:=1 +"]),
    ("Product", ["code:=7"]), ("Product", ["sold=maybe"]), ("Product", ["sold:=7"]),
    ("Product", ["since=tomorrow"]), ("Product", ["id=7"]), ("Product", ["blob=%"]),
    ("Product", ["name=a"]), ("Product", ["name=Abcdefghijklmn"]), ("Product", ["name=abc"]),
    ("Product", ["stars=6"]), ("Product", ["stars:=5 - 5"]), ("Product", ["code=taken"]),
    ("Product", [#"shelf:=(name == "none")"#]), ("Product", ["shelf:=(name != nil)"]),
    ("Product", [#"shelf:=(nmae == "a")"#]), ("Product", [#"shelf:=(name == "a""#]),
    ("Product", ["shelf=low"]), ("Product", ["shelf:=7"]),
    ("Product", ["shelf=x-coredata:///Tag/p1"]),
    ("Product", ["shelf=x-coredata:///Shelf/p9"]),
    ("Product", ["shelf=x-coredata://OTHER/Shelf/p1"]),
    ("Tag", ["about=x-coredata:///Thing/p1"]),
  ]

  @Test func everyMistakeIsExplainedAndChangesNothing() throws {
    let made = try shop()
    try insert(made, "Product", "code=taken")
    let before = try made.dump()
    var text = ""
    for mistake in Self.mistakes {
      text += "insert \(mistake.entity) \(mistake.assignments.joined(separator: " "))\n"
      do {
        let id = try insert(made, mistake.entity, mistake.assignments)
        Issue.record("\(mistake) became \(id)")
      } catch let error as any DiagnosableError {
        for diagnostic in error.diagnostics { text += DiagnosticRenderer().render(diagnostic) }
      }
      text += "\n"
    }
    #expect(try made.dump() == before)
    Golden.expect(text, matches: "insert-errors.txt")
  }
}
