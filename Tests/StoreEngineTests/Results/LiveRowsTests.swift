import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import SeededRandom
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreEngine
@testable import StoreLayout

/// Lists that follow a store that others write to.
struct LiveRowsTests {
  private static func request(
    sections: String? = "list.title", sort: String = "title", limit: Int? = nil, offset: Int = 0
  ) throws -> StoreModel.StoreFetchRequest {
    StoreModel.StoreFetchRequest(
      entity: "Item",
      sort: try PredicateText(sort, context: "").list(as: .sort).map {
        SortKey($0.expression, isAscending: !$0.isDescending)
      }, limit: limit, offset: offset,
      sections: try sections.map {
        try PredicateText($0, context: "").list(as: .plain)[0].expression
      })
  }

  private static func rows(_ request: StoreModel.StoreFetchRequest, of path: String) throws
    -> LiveRows
  {
    let layout = StoreLayout(model: SampleModels.todo)
    return try LiveRows.watching(
      request, texts: RequestTexts(), of: LocalPath(path),
      in: RowContext(layout: layout, store: nil)
    )
  }

  /// Returns the keys and section names that a plain fetch returns.
  private static func fetched(_ request: StoreModel.StoreFetchRequest, from store: Store) throws
    -> [String]
  {
    var request = request
    request.result = .values([SelectedValue(FormatExpression(.selfObject), name: "id")])
    let query = try request.sql(in: StoreLayout(model: SampleModels.todo))
    return try store.read { connection in
      try connection.rows(query.sql).map { values in
        request.sections == nil ? "\(values[0])" : "\(values[1]) in \(values[0])"
      }
    }
  }

  private static func shown(_ list: ResultList, _ request: StoreModel.StoreFetchRequest) -> [String]
  {
    list.rows.sections.flatMap { section in
      list.rows.keys[section.rows].map { key in
        let id = SQLiteValue.integer(key)
        return request.sections == nil ? "\(id)" : "\(id) in \(section.value)"
      }
    }
  }

  private static func expectSections(_ list: ResultList) {
    #expect(list.sections.map(\.count).reduce(0, +) == list.count)
    #expect(list.sections.map(\.count) == list.rows.sections.map(\.rows.count))
  }

  // MARK: Random writes

  private static let count = 250

  private static func fill(_ fixture: StoreFixture, count: Int = count) throws {
    var sql = (1...8).map {
      "INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (\($0), 2, 1, 'list \($0)');"
    }.joined()
    for key in 1...count {
      sql += """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZDONE, ZLIST)
        VALUES (\(key), 1, 1, 'item \(key * 7 % 60)', \(key % 2), \(key % 9 == 0 ? "NULL" : "\(key % 8 + 1)"));
        """
    }
    try fixture.edit(sql)
  }

  private static func write(_ generator: inout SeededGenerator, count: Int) -> String {
    let key = 1 + generator.below(count + count / 6)
    let title = ["NULL", "'item \(generator.below(60))'", "\(generator.below(9))", "2.5", "x'00'"]
    return switch generator.below(8) {
    case 0: "DELETE FROM ZITEM WHERE Z_PK = \(key)"
    case 1:
      """
      INSERT OR IGNORE INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZLIST)
      VALUES (\(key), 1, 1, 'item \(generator.below(60))', \(1 + generator.below(8)))
      """
    case 2, 3: "UPDATE ZITEM SET ZTITLE = \(title[generator.below(5)]) WHERE Z_PK = \(key)"
    case 4: "UPDATE ZITEM SET ZLIST = \(1 + generator.below(9)) WHERE Z_PK = \(key)"
    case 5: "UPDATE ZITEM SET ZDONE = NOT ZDONE WHERE Z_PK % \(20 + generator.below(50)) = 0"
    // A write to another table moves rows to another section.
    case 6:
      "UPDATE ZLIST SET ZTITLE = 'list \(generator.below(12))' WHERE Z_PK = \(1 + generator.below(8))"
    default: "UPDATE ZITEM SET Z_OPT = Z_OPT + 1"
    }
  }

  /// Tests long lists, where a search places few rows, and short ones, which SQLite sorts, with 5,000 change sets.
  @Test(
    arguments: [
      ("list.title", "title", nil, 0), ("list.title", "list.title,-title,done", nil, 0),
      (nil, "title", nil, 0), ("done", "-list.title,title", nil, 0), ("list", "-title", 40, 20),
      (nil, "done", 10, 5),
    ] as [(String?, String, Int?, Int)], [(count, 170), (36, 670)])
  func followsRandomWrites(
    _ list: (sections: String?, sort: String, limit: Int?, offset: Int),
    _ size: (rows: Int, rounds: Int)
  ) throws {
    let request = try Self.request(
      sections: list.sections, sort: list.sort, limit: list.limit, offset: list.offset)
    let changes = try Self.follow(request, rows: size.rows, rounds: size.rounds, seed: 11)
    // A list of ten rows changes less often.
    #expect(changes > (list.limit == nil ? 50 : 10))
  }

  /// Expects that the shown list equals a new fetch, and that applying the changes to the previous list produces it.
  private static func follow(
    _ request: StoreModel.StoreFetchRequest, rows count: Int, rounds: Int, seed: UInt64
  ) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    let fixture = try StoreFixture()
    try Self.fill(fixture, count: count)
    let writer = try PlainDatabase(fixture.path)
    try writer.execute("PRAGMA synchronous = OFF")
    var rows = try Self.rows(request, of: fixture.path)
    let fresh = try Store.open(LocalPath(fixture.path), .reading)
    var changes = 0
    for round in 0..<rounds {
      let old = rows.list
      let sql = (0...generator.below(2)).map { _ in Self.write(&generator, count: count) }.joined(
        separator: ";")
      try writer.execute("BEGIN; \(sql); COMMIT")
      let place = Comment(rawValue: "seed \(seed), round \(round): \(sql)")
      let list = try rows.update() ?? old
      #expect(Self.shown(list, request) == (try Self.fetched(request, from: fresh)), place)
      Self.expectSections(list)
      let difference = list.difference(from: old)
      let (before, after) = (Self.view(of: old), Self.view(of: list))
      #expect(BatchUpdateReplay(before, difference, asking: after).list == after, place)
      #expect(difference.refusals(from: before, to: after) == [], place)
      changes += difference.count
      for (place, id) in list.objectIDs.enumerated() where place % 50 == 0 {
        #expect(list.indexPath(of: id).map { list[$0] } == id)
      }
    }
    try fresh.close()
    try writer.close()
    return changes
  }

  private static func view(of list: ResultList) -> ShownList {
    ShownList(
      sections: list.rows.sections.map { section in
        ShownList.Section(
          name: Int64(section.value.hashValue),
          rows: section.rows.map {
            ShownList.Row(key: list.rows.keys[$0], text: list.rows.fingerprints[$0])
          })
      })
  }

  // MARK: Files

  /// Reading a store that isn't open elsewhere doesn't require or create `-wal` and `-shm` files.
  @Test func seesAWriterThatComesAndGoesAndLeavesNoTrace() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    try fixture.edit("PRAGMA journal_mode = WAL")
    var rows = try Self.rows(try Self.request(), of: fixture.path)
    let files = try fixture.contents().keys.sorted()
    #expect(files == ["Todo.sqlite"])
    #expect(try rows.update() == nil)
    for count in 1...3 {
      try fixture.edit("DELETE FROM ZITEM WHERE Z_PK = \(count)")
      #expect(try rows.update()?.count == Self.count - count)
      #expect(try rows.update() == nil)
    }
    let writer = try fixture.writer("DELETE FROM ZITEM WHERE Z_PK = 4")
    #expect(try rows.update()?.count == Self.count - 4)
    try writer.execute("DELETE FROM ZITEM WHERE Z_PK = 5")
    #expect(try rows.update()?.count == Self.count - 5)
    #expect(try rows.update() == nil)
    try writer.close()
    try fixture.edit("DELETE FROM ZITEM WHERE Z_PK = 6")
    #expect(try rows.update()?.count == Self.count - 6)
    #expect(try rows.update() == nil)
  }

  @Test func seesWritesThroughARollbackJournal() throws {
    let fixture = try StoreFixture()
    try fixture.edit("PRAGMA journal_mode = DELETE")
    try Self.fill(fixture)
    var rows = try Self.rows(try Self.request(), of: fixture.path)
    try fixture.edit("DELETE FROM ZITEM WHERE Z_PK = 1")
    #expect(try rows.update()?.count == Self.count - 1)
    #expect(try rows.update() == nil)
  }

  /// A change of Z_OPT alone doesn't change the values that a row shows.
  @Test func aWriteThatChangesNoValueIsNoChange() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    var rows = try Self.rows(try Self.request(), of: fixture.path)
    try fixture.edit("UPDATE ZITEM SET Z_OPT = Z_OPT + 1")
    #expect(try rows.update() == nil)
    try fixture.edit("UPDATE ZITEM SET ZDONE = 7 WHERE Z_PK = 3")
    #expect(try rows.update() != nil)
  }

  // MARK: Archive

  @Test func aListIsReadBackFromItsBytes() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    let rows = try Self.rows(try Self.request(), of: fixture.path)
    let bytes = rows.kept.archived(of: "this")
    guard let read = KeptRows(archived: bytes, of: "this") else {
      Issue.record("not read back")
      return
    }
    #expect(read.list.rows == rows.list.matched.rows)
    #expect(read.list.names == rows.list.matched.names)
    #expect(read.list.byKey == rows.list.matched.byKey)
    #expect(read.scan.rows == rows.kept.scan.rows)
    #expect(KeptRows(archived: bytes, of: "that") == nil)
    for place in stride(from: 0, to: bytes.count, by: 97) {
      var damaged = bytes
      damaged[place] ^= 4
      #expect(KeptRows(archived: damaged, of: "this") == nil)
      #expect(KeptRows(archived: Array(bytes[..<place]), of: "this") == nil)
    }
  }

  // MARK: Order

  /// Compares the order with SQLite's.
  @Test func valuesAreOrderedAsSQLiteOrdersThem() throws {
    let values: [SQLiteValue] = [
      .null, .integer(.min), .real(-1e300), .real(-9.3e18), .integer(-1), .real(-0.5), .integer(0),
      .real(0.5), .integer(1), .integer(9_007_199_254_740_993), .real(9_007_199_254_740_992),
      .integer(.max), .real(9.3e18), .text(""), .text("a"), .text("Z"), .text("é"),
      .text("\u{10000}"),
      .text("\u{FFFD}"), .blob([]), .blob([0]), .blob([255]),
    ]
    let database = try MemoryDatabase()
    try database.inside { connection in
      for one in values {
        for two in values {
          // Without affinity, as in ORDER BY over a column's values.
          let rows = try connection.rows(
            "SELECT v FROM (SELECT \(value: one) AS v, 1 AS p UNION ALL SELECT \(value: two), 2) ORDER BY v, p"
          )
          let isBefore = try connection.rows(
            "SELECT v FROM (SELECT \(value: two) AS v, 1 AS p UNION ALL SELECT \(value: one), 2) ORDER BY v, p"
          )
          let precedes =
            rows[0][0] == one && isBefore[0][0] == one && one.normalised != two.normalised
          #expect(one.precedes(two) == precedes, "\(one) \(two)")
        }
      }
    }
  }
}
