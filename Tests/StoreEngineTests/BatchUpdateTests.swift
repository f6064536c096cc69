import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// `storetool batch-update`: new values for all rows that match.
@Suite struct BatchUpdateTests {
  private func outcome(_ matched: Int, _ changed: Int) -> UpdateResult {
    UpdateResult(matched: matched, changed: changed)
  }

  @Test func onlyRowsWithOtherValuesAreRewritten() throws {
    let made = try GraphStore.sample()
    #expect(try made.update("Thing", ["flag=true"]) == outcome(3, 2))
    #expect(
      try made.rows("SELECT ZKEY, ZFLAG, Z_OPT FROM ZTHING ORDER BY ZKEY") == [
        "'cup' 1 1", "'fan' 1 2", "'jar' 1 2",
      ])
    #expect(try made.update("Thing", ["flag=true"]) == outcome(3, 0))
    #expect(try made.rows("SELECT sum(Z_OPT) FROM ZTHING") == ["5"])
  }

  @Test func subentitiesAndPredicates() throws {
    let made = try GraphStore.sample()
    #expect(
      try made.update("Thing", ["text=x"], where: "count16 > 4 OR flag == YES")
        == outcome(3, 3))
    #expect(
      try made.update("Thing", ["text=y"], where: "count16 > 4", subentities: false)
        == outcome(1, 1))
    #expect(try made.update("Gadget", ["text=z"]) == outcome(1, 1))
    // An attribute of a parent, set through the abstract entity itself.
    #expect(try made.update("Being", ["note=n"], where: "note == nil") == outcome(2, 2))
    #expect(
      try made.rows("SELECT ZKEY, ZTEXT FROM ZTHING ORDER BY ZKEY") == [
        "'cup' 'x'", "'fan' 'z'", "'jar' 'y'",
      ])
    #expect(try made.rows("SELECT count(*) FROM ZBEING WHERE ZNOTE = 'n'") == ["2"])
  }

  @Test func expressionsSeeTheRowAsItWas() throws {
    let made = try GraphStore.sample()
    try made.update("Thing", ["count16:=count32", "count32:=count16", "ratio:=count16 / 2"])
    #expect(
      try made.rows("SELECT ZKEY, ZCOUNT16, ZCOUNT32, ZRATIO FROM ZTHING ORDER BY ZKEY") == [
        "'cup' NULL 3 1.0", "'fan' NULL 8 4.0", "'jar' 7 5 2.0",
      ])
    // An expression that reads another row sees that row's previous value.
    try made.update("Thing", ["parent:=(key == \"jar\")"], where: "key == \"cup\"")
    try made.update("Thing", ["parent:=(key == \"fan\")"], where: "key == \"jar\"")
    #expect(
      try made.update("Thing", ["text:=key"]) == outcome(3, 3))
    #expect(
      try made.update("Thing", ["text:=parent.text"], where: "parent != nil")
        == outcome(2, 2))
    #expect(
      try made.rows("SELECT ZKEY, ZTEXT FROM ZTHING ORDER BY ZKEY") == [
        "'cup' 'jar'", "'fan' 'fan'", "'jar' 'fan'",
      ])
  }

  /// An update stores the value that `fetch` computes for the row, with both strategies.
  @Test(
    arguments: [
      ("count16", "count16 + 1"), ("count32", "count16 * -3"), ("count64", "count16 & 6"),
      ("ratio", "price / 4"), ("weight", "ratio * 0.1"), ("price", "count16 * 2.5"),
      ("text", "uppercase:(key)"), ("text", "nil"), ("flag", "TERNARY(count16 > 4, YES, NO)"),
      ("count16", "children.@count"), ("count32", "length:(key)"), ("link", "text"),
      ("text", "owner.key"), ("ratio", "ratio * ratio"), ("size.width", "count16 + 0.5"),
      ("made", "CAST(count16, \"NSDate\")"),
    ], [false, true])
  func computedValues(_ value: (property: String, expression: String), keepsKeys: Bool) throws {
    let made = try GraphStore.sample()
    func column(_ expression: String) throws -> [[SQLiteValue]] {
      var request = StoreFetchRequest(entity: "Thing")
      request.result = .values([
        SelectedValue(try PredicateText(expression).expression(), name: "value")
      ])
      let query = try request.sql(in: made.layout)
      return try made.store.read { try $0.rows(query.sql) }
    }
    let expected = value.expression == "nil" ? [] : try column(value.expression)
    try made.update(
      "Thing", ["\(value.property):=\(value.expression)"], keepsKeys: keepsKeys)
    let found = try column(value.property)
    for (index, row) in found.enumerated() {
      let before = expected.isEmpty ? SQLiteValue.null : expected[index][0]
      switch (before, row[0]) {
      case (.real(let wanted), .real(let stored)) where value.property == "weight":
        #expect(stored == Double(Float(wanted)))
      case (.integer(let wanted), .real(let stored)): #expect(stored == Double(wanted))
      case (.real(let wanted), .integer(let stored)): #expect(Double(stored) == wanted)
      case (let wanted, let stored): #expect(stored == wanted)
      }
    }
  }

  @Test func changedRowsByTheirIDs() throws {
    let made = try GraphStore.sample()
    let outcome = try made.update("Thing", ["flag=true"], keepsKeys: true)
    #expect(outcome == self.outcome(3, 2))
    let keys = try made.store.read { try $0.rows(Store.updatedKeys.sql) }
    #expect(keys.map { $0.map(\.shown) } == [["2", "6"], ["3", "7"]])
    // The keys of the previous update are no longer included.
    try made.update("Thing", ["flag=false"], where: "key == \"cup\"", keepsKeys: true)
    #expect(try made.store.read { try $0.rows(Store.updatedKeys.sql) }.count == 1)
  }

  // MARK: To-one relationships

  @Test func toOneByIDPredicateAndNil() throws {
    let made = try GraphStore.sample()
    let ann = "x-coredata://\(made.store.metadata.uuid)/Person/p1"
    #expect(try made.update("Thing", ["owner=\(ann)"]) == outcome(3, 3))
    #expect(
      try made.update(
        "Thing", ["owner:=(key == \"Bob\")"], where: "owner.key == \"Ann\" AND flag == YES")
        == outcome(1, 1))
    #expect(
      try made.update("Thing", ["owner=null"], where: "key == \"fan\"") == outcome(1, 1))
    #expect(
      try made.rows("SELECT ZKEY, ZOWNER FROM ZTHING ORDER BY ZKEY") == [
        "'cup' 2", "'fan' NULL", "'jar' 1",
      ])
    // The maker may belong to several entities, so its entity number is stored next to its key.
    try made.update("Robot", ["maker:=(key == \"Cyd\")"])
    #expect(try made.rows("SELECT ZMAKER, Z1_MAKER FROM ZBEING WHERE Z_ENT = 3") == ["3 2"])
    try made.update("Robot", ["maker:=nil"])
    #expect(try made.rows("SELECT ZMAKER, Z1_MAKER FROM ZBEING WHERE Z_ENT = 3") == ["NULL NULL"])
  }

  @Test func orderedMembersGoToTheEnd() throws {
    let made = try GraphStore.sample()
    try made.update("Thing", ["parent:=(key == \"fan\")"], where: "key == \"jar\"")
    try made.update("Thing", ["parent:=(key == \"fan\")"], where: "key == \"cup\"")
    #expect(
      try made.rows("SELECT ZKEY, ZPARENT, Z6_PARENT, Z_FOK_PARENT FROM ZTHING ORDER BY ZKEY") == [
        "'cup' 3 7 3072", "'fan' NULL NULL NULL", "'jar' 3 7 2048",
      ])
    try made.update("Thing", ["parent:=parent.parent"], where: "parent != nil")
    #expect(
      try made.rows("SELECT count(ZPARENT), count(Z6_PARENT), count(Z_FOK_PARENT) FROM ZTHING")
        == ["0 0 0"])
  }

  @Test func oneToOneMovesFromItsOldPartner() throws {
    let made = try GraphStore.sample()
    #expect(
      try made.update(
        "Person", ["spouse:=(key == \"Bob\")"], where: "key == \"Ann\"") == outcome(1, 1))
    let spouses: SQL = "SELECT ZKEY, ZSPOUSE FROM ZBEING WHERE Z_ENT = 2 ORDER BY Z_PK"
    #expect(try made.rows(spouses) == ["'Ann' 2", "'Bob' 1", "'Cyd' NULL"])
    try made.update("Person", ["spouse:=(key == \"Bob\")"], where: "key == \"Cyd\"")
    #expect(try made.rows(spouses) == ["'Ann' NULL", "'Bob' 3", "'Cyd' 2"])
    try made.update("Person", ["spouse=null"], where: "key == \"Bob\"")
    #expect(try made.rows(spouses) == ["'Ann' NULL", "'Bob' NULL", "'Cyd' NULL"])
    // A passport requires a holder, and can be moved to another one through the inverse.
    try made.update("Passport", ["holder:=(key == \"Bob\")"])
    #expect(
      try made.rows("SELECT ZKEY, ZPASSPORT FROM ZBEING WHERE Z_ENT = 2 ORDER BY Z_PK") == [
        "'Ann' NULL", "'Bob' 1", "'Cyd' NULL",
      ])
  }

  @Test func historyHasTheChangedRows() throws {
    let first = try GraphStore.sample()
    try first.store.close()
    try first.file.keepHistory()
    let made = try GraphStore(reopening: first)
    try made.update("Thing", ["flag=true", "text=x"], where: "count16 > 4")
    try made.update("Person", ["spouse:=(key == \"Bob\")"], where: "key == \"Ann\"")
    try made.update("Thing", ["flag=true"])
    let changes = try (1...3).map { transaction in
      try made.store.read { try $0.changes(in: transaction, of: made.layout) }
    }
    #expect(changes[0] == ["update Thing 2 flag, text", "update Gadget 3 flag, text"])
    #expect(changes[1] == ["update Person 1 spouse", "update Person 2 spouse"])
    // The update didn't change anything, so the history doesn't list it.
    #expect(changes[2] == [])
  }

  // MARK: Strategy

  @Test func anIndexOfManyChangedRowsIsMadeAnew() throws {
    let made = try GraphStore(SampleModels.league)
    let indexes: SQL = "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY rowid"
    for number in 1...40 {
      try made.importing(#"{"$entity": "Team", "name": "T\#(number)", "points": \#(number)}"#)
      try made.importing(#"{"$entity": "Player", "number": \#(number)}"#)
    }
    let before = try made.rows(indexes).sorted()
    func rebuilt(_ entity: String, _ values: [String], _ predicate: String?) throws -> [String] {
      let plan = try made.updatePlan(entity, values, where: predicate)
      return try made.store.strategy(for: plan).rebuiltIndexes
    }
    let captain = "captain=x-coredata:///Player/p1"
    #expect(try rebuilt("Team", ["points:=points + 1"], nil) == [])
    #expect(try rebuilt("Team", [captain], "points < 4") == [])
    #expect(try rebuilt("Team", [captain], "points < 20") == ["ZTEAM_ZCAPTAIN_INDEX"])
    #expect(try rebuilt("Team", ["captain=null"], nil) == [])
    // Numbers are unique, but all of them can be increased in one update.
    #expect(try rebuilt("Player", ["number:=number + 1"], "number > 38").count == 1)
    try made.update("Player", ["number:=number + 1"])
    #expect(try made.rows("SELECT sum(ZNUMBER) FROM ZPLAYER") == ["860"])
    #expect(throws: UpdateError.self) { try made.update("Player", ["number:=number / 2"]) }
    #expect(try made.rows("SELECT sum(ZNUMBER) FROM ZPLAYER") == ["860"])
    #expect(try made.rows(indexes).sorted() == before)
  }

  // MARK: Refusals

  @Test func refusals() throws {
    let made = try GraphStore.sample()
    let before = try made.dump()
    var text = ""
    let cases: [(String, [String])] = [
      ("Thng", ["flag=true"]), ("Thing", ["flog=true"]), ("Thing", ["children=x"]),
      ("Thing", ["flag=maybe"]), ("Thing", ["count16=40000"]),
      ("Thing", ["count16:=count16 * 9999"]),
      ("Thing", ["count32:=ratio * 1.1"]), ("Thing", ["flag:=count16"]), ("Thing", ["made=soon"]),
      ("Thing", ["ratio:=1e308 * 10"]), ("Thing", ["count16:=\"x\""]), ("Thing", ["text:=nmae"]),
      ("Thing", ["photo:=data"]), ("Thing", ["owner=Bob"]), ("Thing", ["owner:=(key == \"Zoe\")"]),
      ("Thing", ["owner:=(key != nil)"]), ("Thing", ["owner=x-coredata:///Person/p9"]),
      ("Thing", ["owner=x-coredata:///Tag/p1"]),
      ("Thing", ["owner=x-coredata://ELSEWHERE/Person/p1"]),
      ("Passport", ["holder=null"]), ("Person", ["spouse:=(key == \"Ann\")"]),
      ("Person", ["passport=null"]), ("Thing", ["flag"]), ("Thing", ["flag=true", "flag=false"]),
    ]
    for (entity, values) in cases {
      text += "\(entity) \(values.joined(separator: " "))\n"
      do {
        try made.update(entity, values)
        text += "  no error\n"
      } catch let error as any DiagnosableError {
        let shown = error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
        // The UUID of the store differs in each run.
        text += shown.replacing(made.store.metadata.uuid, with: "UUID")
          .split(separator: "\n").map { "  \($0)\n" }.joined()
      }
    }
    Golden.expect(text, matches: "batch-update-refusals.txt")
    #expect(try made.dump() == before)
  }

  @Test func rulesOfTheModel() throws {
    let made = try GraphStore(BatchInsertTests.shop)
    try made.importing(
      """
      {"$entity": "Product", "code": "a", "name": "Apple", "stars": 3}
      {"$entity": "Product", "code": "b", "name": "Bean", "stars": 5}
      """)
    var text = ""
    for values in [
      ["stars:=stars + 1"], ["stars=9"], ["stars:=stars - 3"], ["name=x"], ["name=lower"],
      ["name:=lowercase:(name)"], ["name:=nil"], ["name=\(String(repeating: "A", count: 13))"],
      ["code=same"],
    ] {
      do {
        try made.update("Product", values)
        text += "\(values) changed\n"
      } catch let error as any DiagnosableError {
        text += "\(values) \(error.diagnostics.map(\.message))\n"
      }
    }
    Golden.expect(text, matches: "batch-update-rules.txt")
    #expect(
      try made.update("Product", ["stars:=stars + 1"], validates: false) == outcome(2, 2))
  }

  @Test func onlyRowsThatMatchAreRefused() throws {
    let made = try GraphStore(BatchInsertTests.shop)
    try made.importing(
      """
      {"$entity": "Product", "code": "a", "name": "Apple", "stars": 5}
      {"$entity": "Product", "code": "b", "name": "Bean", "stars": 2}
      {"$entity": "Product", "code": "c", "name": "Corn", "stars": 5}
      """)
    func raise(_ predicate: String?) throws -> UpdateResult {
      try made.update("Product", ["stars:=stars + 1"], where: predicate)
    }
    let before = try made.dump()
    // The first row that violates the rule is reported, even if other rows were changed before it.
    #expect {
      try raise("name != \"Apple\"")
    } throws: { error in
      guard case .row("Product", 3, "stars", "6", _)? = error as? UpdateError else { return false }
      return true
    }
    #expect(try made.dump() == before)
    #expect(try raise("stars < 5") == outcome(1, 1))
    #expect(try raise("notes.@count == 0 AND name == \"Bean\"") == outcome(1, 1))
    // An invalid value is refused, even if the row already contains it.
    try made.update("Product", ["stars=9"], where: "name == \"Corn\"", validates: false)
    #expect(throws: UpdateError.self) {
      try made.update("Product", ["stars:=stars"])
    }
    #expect(try made.update("Product", ["stars:=stars"], where: "stars < 9") == outcome(2, 0))
  }

  // MARK: NULL

  /// The rows have count16 3, 5 and 8. One of them has price 10, ratio 1.5 or count32 7.
  @Test(
    arguments: [
      ("price", "price / 0", 1, "a division by zero"),
      ("count16", "count16 / (count16 - 5)", 1, "a division by zero"),
      ("count16", "modulus:by:(count16, count16 - 5)", 1, "a division by zero"),
      ("count16", "count16 + count32", 2, "a NULL in the expression"),
      ("count16", "count32", 2, "a NULL in the expression"),
      ("count16", "parent.count16", 3, "a NULL in the expression"),
      ("count16", "children.@max.count16", 3, "a NULL in the expression"),
      ("count16", "max({count16, count32})", 2, "a NULL in the expression"),
      ("key", "text + key", 3, "a NULL in the expression"),
      ("count16", "count32 / 0", 3, "a division by zero or a NULL in the expression"),
      ("ratio", "sqrt(-ratio)", 1, "a function without a result"),
      (
        "count16", "TERNARY(count16 > 5, nil, count32)", 2,
        "a NULL in the expression or a literal nil"
      ),
    ], [false, true])
  func countsValuesThatBecomeNull(
    _ value: (property: String, expression: String, count: Int, cause: String), keepsKeys: Bool
  ) throws {
    let made = try GraphStore.sample()
    let column: SQL = "SELECT count(\(name: "Z" + value.property.uppercased())) FROM ZTHING"
    let before = try #require(Int(try made.rows(column)[0]))
    let values = ["\(value.property):=\(value.expression)"]
    let warnings = try made.updatePlan("Thing", values)
    let outcome = try made.update("Thing", values, keepsKeys: keepsKeys)
    #expect(outcome.becameNull == [value.property: value.count])
    #expect(try made.rows(column) == ["\(before - value.count)"])
    let rows = value.count == 1 ? "1 row" : "\(value.count) rows"
    #expect(
      warnings.nullWarnings(outcome).map(\.message) == [
        "'\(value.property)' became NULL in \(rows) because of \(value.cause)"
      ])
  }

  @Test(
    arguments: [
      ("count16", "nil"), ("count16", "TERNARY(count16 > 5, nil, count16)"),
      ("price", "price / 4"), ("count16", "count16 + 1"), ("text", "text + key"),
      ("count32", "children.@count / 2"), ("price", "children.@sum.price"),
    ])
  func countsNoValuesThatStayOrAreSetToNil(_ value: (property: String, expression: String)) throws {
    let made = try GraphStore.sample()
    let values = ["\(value.property):=\(value.expression)"]
    #expect(try made.update("Thing", values).becameNull == [:])
  }

  @Test func countsRelationshipsThatBecomeNull() throws {
    let made = try GraphStore.sample()
    try made.update("Thing", ["parent:=(key == \"jar\")"], where: "key != \"jar\"")
    #expect(try made.update("Thing", ["parent:=parent.parent"]).becameNull == ["parent": 2])
  }

  /// The scan that counts the matching rows also counts new NULL values, but only if an expression can be NULL.
  @Test func countsNullsInOneScan() throws {
    let made = try GraphStore.sample()
    func count(_ value: String) throws -> String {
      try made.updatePlan("Thing", [value]).matchCount.literalText
    }
    #expect(try count("count16:=count16 + 1") == "SELECT COUNT(*) FROM ZTHING t0")
    #expect(
      try count("count16:=count16 / count32") == """
        SELECT COUNT(*), COUNT(*) FILTER (WHERE t0.ZCOUNT16 IS NOT NULL \
        AND (t0.ZCOUNT16 / t0.ZCOUNT32) IS NULL) FROM ZTHING t0
        """)
  }

  // MARK: Statements

  @Test func statements() throws {
    let made = try GraphStore.sample()
    var text = ""
    for (values, predicate) in [
      (["flag=true"], nil), (["flag=true", "count16:=count16 + 1"], "count16 > 4 OR text == nil"),
      (["text:=owner.key"], "owner.age > 3"), (["parent=x-coredata:///Gadget/p3"], nil),
      (["owner:=nil"], "SUBQUERY(children, $c, $c.flag == YES).@count > 1"),
    ] as [([String], String?)] {
      let plan = try made.updatePlan("Thing", values, where: predicate)
      text += "-- \(values.joined(separator: " ")) where \(predicate ?? "TRUEPREDICATE")\n"
      text += plan.statements.map { "\($0.literalText);\n" }.joined() + "\n"
    }
    let spouse = try made.updatePlan("Person", ["spouse:=(key == \"Bob\")"])
    text += "-- one-to-one\n" + spouse.statements.map { "\($0.literalText);\n" }.joined()
    Golden.expect(text, matches: "batch-update.sql")
  }
}
