import Foundation
import PlainSQLite
import StoreDiagnostics
import TestSupport
import Testing

@testable import StoreVerification
@testable import StoreSQL
@testable import SQLiteAccess
@testable import StoreLayout
@testable import StoreEngine

@Suite struct StoreErrorTests {
  private func error(_ work: () throws -> Void) -> DatabaseError? {
    thrown(work) as? DatabaseError
  }

  private func fault(_ work: () throws -> Void) -> StoreError? {
    thrown(work) as? StoreError
  }

  private func thrown(_ work: () throws -> Void) -> (any Error)? {
    do {
      try work()
      return nil
    } catch {
      return error
    }
  }

  private func openingFault(_ path: String, _ access: Store.Access = .reading) -> StoreError? {
    fault { _ = try Store.open(path, access) }
  }

  private func openingError(_ path: String, _ access: Store.Access = .reading) -> DatabaseError? {
    error { _ = try Store.open(path, access) }
  }

  /// Another program, whose transactions stay open between calls.
  private func stranger(_ path: String) throws -> PlainDatabase {
    try PlainDatabase(path)
  }

  @Test func aMissingFileIsNotMade() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Todo.sqlite")
    for access in [Store.Access.reading, .writing] {
      #expect(openingError(path, access) == .notFound(path: path))
    }
    #expect(try StoreFixture.contents(of: folder.url).isEmpty)
  }

  @Test func whatIsNoStore() throws {
    let folder = try TemporaryFolder()
    #expect(openingError(folder.url.path) == .isFolder(path: folder.url.path))
    let text = try folder.write("Dear diary", to: "a.txt")
    #expect(openingError(text) == .notADatabase(path: text))
    let empty = try folder.write("", to: "empty.sqlite")
    #expect(openingError(empty) == .notADatabase(path: empty))
    let long = try folder.write(String(repeating: "x", count: 5000), to: "long.sqlite")
    #expect(openingError(long) == .notADatabase(path: long))
    let plain = folder.path("plain.sqlite")
    try PlainDatabase(plain).execute("CREATE TABLE t (a)")
    #expect(openingFault(plain) == .notAStore(path: plain))
  }

  @Test func aTruncatedStoreIsDamaged() throws {
    let fixture = try StoreFixture()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    try bytes.prefix(5000).write(to: URL(fileURLWithPath: fixture.path))
    let found = try #require(openingError(fixture.path))
    guard case .damaged = found else {
      Issue.record("\(found)")
      return
    }
  }

  /// Whatever the bytes, there is an answer or an error that tells of the file.
  @Test(arguments: 1...40)
  func damagedBytesAreNoBugOfOurs(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let fixture = try StoreFixture(SampleModels.library)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: fixture.path)))
    for _ in 0..<Int.random(in: 1...200, using: &generator) {
      let place = Int.random(in: 100..<bytes.count, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: fixture.path))
    let found = thrown {
      _ = try Store.describe(fixture.path)
      _ = try Store.open(fixture.path, .reading).layout(for: SampleModels.library)
    }
    switch found {
    case nil, DatabaseError.damaged?, DatabaseError.notADatabase?, StoreError.notAStore?,
      DatabaseError.inputOutput?:
      break
    default: Issue.record("seed \(seed): \(String(describing: found))")
    }
  }

  @Test(
    arguments: [
      ("ALTER TABLE Z_METADATA RENAME Z_PLIST TO ZX", "no such column: Z_PLIST"),
      (
        "UPDATE Z_METADATA SET Z_PLIST = x'00'",
        "it is neither a binary property list nor one in XML"
      ),
      (
        "UPDATE Z_METADATA SET Z_PLIST = 'abc'",
        "it is neither a binary property list nor one in XML"
      ),
      (
        "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, 400)",
        "it is neither a binary property list nor one in XML"
      ),
    ])
  func metadataThatCantBeReadIsAFinding(_ sql: String, _ reason: String) throws {
    let fixture = try StoreFixture()
    try fixture.edit(sql)
    for access in [Store.Access.reading, .writing] {
      guard case .damaged? = openingError(fixture.path, access) else {
        Issue.record("the damage was overlooked")
        return
      }
    }
    let description = try Store.describe(fixture.path)
    #expect(description.remarks.contains(.unreadableMetadata(reason)))
    #expect(description.entities.map(\.name) == ["Item", "List"])
    let store = try Store.open(fixture.path, .reading, acceptsFaults: true)
    let kinds: [Finding.Kind] =
      sql.hasPrefix("ALTER")
      ? [.missingColumn("Z_PLIST", table: "Z_METADATA")] : [.unreadableMetadata(reason)]
    #expect(try store.verify(in: nil).map(\.kind) == kinds)
  }

  @Test(arguments: [
    ("DROP TABLE Z_PRIMARYKEY", "it lacks the table Z_PRIMARYKEY"),
    ("ALTER TABLE ZITEM RENAME Z_ENT TO ZX", "it lacks the column Z_ENT of ZITEM"),
  ])
  func whatIsMissingDoesNotEndADescription(_ sql: String, _ remark: String) throws {
    let fixture = try StoreFixture()
    try fixture.edit(sql)
    #expect(try Store.describe(fixture.path).remarks.map(\.sentence) == [remark])
  }

  @Test func metadataCanBeMissing() throws {
    let fixture = try StoreFixture()
    try fixture.edit("UPDATE Z_METADATA SET Z_PLIST = NULL")
    #expect(try Store.describe(fixture.path).remarks == [.noPropertyList])
    try fixture.edit("DELETE FROM Z_METADATA")
    #expect(try Store.describe(fixture.path).remarks == [.noMetadata])
    #expect(try Store.open(fixture.path, .reading).metadata.hashes.isEmpty)
  }

  @Test func aLockedStoreIsBusy() throws {
    let fixture = try StoreFixture()
    try fixture.edit("PRAGMA journal_mode = DELETE")
    let other = try stranger(fixture.path)
    try other.execute("BEGIN EXCLUSIVE")
    #expect(openingError(fixture.path) == .locked(path: fixture.path))
    try other.execute("COMMIT")
    #expect(openingError(fixture.path) == nil)
  }

  @Test func aWriterMakesWritersWait() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(fixture.path, .writing)
    let other = try stranger(fixture.path)
    try other.execute("BEGIN IMMEDIATE")
    #expect(error { try store.write { _ in } } == .locked(path: fixture.path))
    try other.execute("ROLLBACK")
    #expect(error { try store.write { _ in } } == nil)
  }

  @Test func historyOfAnUnknownFormIsNotWritten() throws {
    let fixture = try StoreFixture()
    try fixture.edit("CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP FLOAT)")
    let path = fixture.path
    #expect(
      openingFault(path, .writing)
        == .unknownHistory(path: path, table: "ACHANGE", column: "ZCHANGETYPE"))
    #expect(thrown { _ = try Store.open(path, .reading) } == nil)
  }

  @Test func triggersOfCoreDataAreRunAndOthersRefused() throws {
    let library = try StoreFixture(SampleModels.library)
    #expect(thrown { _ = try Store.open(library.path, .writing) } == nil)
    try library.edit(
      """
      CREATE TRIGGER Z_DA_ZBOOK_Book_title_SOURCE_INSERT AFTER INSERT ON ZBOOK BEGIN
        UPDATE ZBOOK SET ZTITLE = TITLE_OF(Z_PK); END
      """)
    #expect(
      openingFault(library.path, .writing)
        == .triggerFunction(
          path: library.path, name: "Z_DA_ZBOOK_Book_title_SOURCE_INSERT", function: "TITLE_OF"))
    try library.edit("CREATE TRIGGER MINE AFTER DELETE ON ZBOOK BEGIN DELETE FROM ZVISIT; END")
    #expect(thrown { _ = try Store.open(library.path, .writing) } == nil)
    let store = try Store.open(library.path, .writing)
    #expect(
      fault { try store.write { _ = try $0.run("DELETE FROM ZBOOK") } }
        == .foreignTrigger(path: library.path, name: "MINE", table: "ZBOOK"))
    #expect(thrown { try store.write { _ = try $0.run("DELETE FROM ZZONE") } } == nil)
  }

  @Test func anInterruptedWriteWantsRecovery() throws {
    let fixture = try StoreFixture()
    try fixture.edit("PRAGMA journal_mode = DELETE")
    let writer = try stranger(fixture.path)
    let copy = try TemporaryFolder()
    try writer.execute(
      """
      PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;
      CREATE TABLE big (a);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO big SELECT randomblob(500) FROM n;
      """)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: fixture.path + suffix, toPath: copy.path("Todo.sqlite\(suffix)"))
    }
    try writer.execute("ROLLBACK")
    let path = copy.path("Todo.sqlite")
    let before = try StoreFixture.contents(of: copy.url)
    #expect(openingError(path) == .needsRecovery(path: path))
    #expect(try StoreFixture.contents(of: copy.url) == before)
  }

  /// SQLITE_NOMEM and SQLITE_IOERR_NOMEM: nothing of it is our mistake.
  @Test(arguments: [7, 10 | 12 << 8] as [Int32])
  func tooLittleMemoryIsNoBug(_ code: Int32) {
    let path = "Todo.sqlite"
    let error = DatabaseError(code: code, message: "out of memory", path: path)
    #expect(error == .outOfMemory(path: path))
    #expect(error.diagnostics.map(\.cause) == [.inputOutput])
  }

  @Test func everyErrorExplainsItself() {
    let path = "Todo.sqlite"
    let errors: [any DiagnosableError] = [
      DatabaseError.notFound(path: path), DatabaseError.isFolder(path: path),
      DatabaseError.noPermission(path: path),
      DatabaseError.notADatabase(path: path), StoreError.notAStore(path: path),
      DatabaseError.damaged(path: path, message: "database disk image is malformed"),
      DatabaseError.needsRecovery(path: path), DatabaseError.locked(path: path),
      DatabaseError.diskFull(path: path), DatabaseError.outOfMemory(path: path),
      DatabaseError.readOnly(path: path),
      DatabaseError.inputOutput(path: path, message: "disk I/O error"),
      DatabaseError.exists(path: path), DatabaseError.exists(path: "\(path)-journal"),
      DatabaseError.folderMissing(path: path),
      StoreError.copyDiffers(path: path, .metadata),
      StoreError.copyDiffers(path: path, .rows(table: "ZITEM", store: 4, copy: 3)),
      StoreError.copyDiffers(path: path, .rows(table: "ZITEM", store: 4, copy: nil)),
      StoreError.copyDiffers(path: path, .rows(table: "ZITEM", store: nil, copy: 3)),
      StoreError.unknownHistory(path: path, table: "ACHANGE", column: "ZENTITY"),
      StoreError.noHistory(path: path),
      StoreError.foreignTrigger(path: path, name: "ON_INSERT", table: "ZITEM"),
      StoreError.triggerFunction(path: path, name: "Z_DA_ZITEM_Item_rank", function: "RANK_OF"),
      StoreError.unknownVersion(
        path: path,
        VersionGap(
          closest: "'Todo 2'",
          differences: [.changed("Item"), .onlyInModel("List"), .onlyInStore("Tag")],
          asIn: ["Item": "'Todo'"], verdict: .newer)),
      StoreError.unknownVersion(
        path: path, VersionGap(closest: nil, differences: [], verdict: .noModel)),
      StoreError.incomplete(
        path: path,
        lacks: [
          .table("ZITEM", entity: "Item", instead: nil), .column("ZNAME", table: "ZLIST"),
          .table("ZTAG", entity: "Tag", instead: .view),
          .number(3, entity: "Note", table: "ZNOTE", isRoot: true),
          .primaryKey(["Z_2TAGS", "Z_3ITEMS"], table: "Z_2TAGS"),
        ]),
      StoreError.incomplete(
        path: path,
        lacks: [
          .companion(OmittedColumn(table: "ZITEM", column: "Z_FOK_LIST", key: "ZLIST")),
          .index(
            IndexLayout(
              name: "Z_Item_UNIQUE_name", isUnique: true,
              columns: [.init(name: "ZNAME", isAscending: true)]), table: "ZITEM"),
        ]),
      StoreError.unreadableTable(path: path, name: "docs", message: "no such module: icu"),
      DatabaseError.constraint(path: path, message: "UNIQUE constraint failed: ZTEAM.ZNAME"),
      DatabaseError.cancelled,
      DatabaseError.tooComplex(message: "parser stack overflow"),
      DatabaseError.sql(path: path, code: 1, message: "no such table: ZX"),
    ]
    let text = errors.flatMap(\.diagnostics).map { diagnostic in
      (["\(diagnostic.cause): \(diagnostic.message) [\(diagnostic.code)]"]
        + diagnostic.help.map { "  help: \($0)" }).joined(separator: "\n") + "\n"
    }.joined()
    Golden.expect(text, matches: "store-errors.txt")
  }
}
