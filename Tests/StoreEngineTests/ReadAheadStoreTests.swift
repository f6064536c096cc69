import StoreDiagnostics
import Foundation
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore

/// A store with read-ahead returns the same rows and errors as one without.
@Suite struct ReadAheadStoreTests {
  /// Returns every row of every table, or the error of reading it.
  private static func everything(_ database: Database) throws -> [String] {
    try database.read { connection in
      let tables = try connection.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      return tables.map { row in
        guard case .text(let table) = row[0] else { return "\(row)" }
        do {
          return "\(table): \(try connection.rows("SELECT * FROM \(name: table)"))"
        } catch {
          return "\(table): \(error)"
        }
      }
    }
  }

  private static func expectNoDifference(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let plain = try Store.connect(
      DatabaseFile.Opening(uri: DatabaseFile.uri(LocalPath(path), ["immutable=1"])),
      path: LocalPath(path), .reading)
    let opening = try DatabaseFile(LocalPath(path)).readOnlyOpening
    #expect(opening.uri == readAhead(path).uri, sourceLocation: sourceLocation)
    let ahead = try Store.connect(opening, path: LocalPath(path), .reading)
    #expect(try everything(ahead) == everything(plain), sourceLocation: sourceLocation)
  }

  private static let rows = 6_000

  private static func filled() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.edit(
      """
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows))
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE)
      SELECT n, 1, 1, printf('%d %s', n * 7919 % \(rows), hex(zeroblob(n % 90))) FROM numbers;
      CREATE INDEX byTitle ON ZITEM (ZTITLE);
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    return fixture
  }

  @Test func ownStore() throws {
    let fixture = try Self.filled()
    try Self.expectNoDifference(fixture.path)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try store.read { connection in
      #expect(try connection.integer("SELECT count(*) FROM ZITEM") == Int64(Self.rows))
      // Uses the index, whose order differs from the table's.
      let titles = try connection.rows("SELECT Z_PK, ZTITLE FROM ZITEM ORDER BY ZTITLE DESC")
      #expect(titles.count == Self.rows)
      for key in stride(from: 1, to: Self.rows, by: 997) {
        let found = try connection.rows(
          "SELECT Z_PK FROM ZITEM WHERE ZTITLE = (SELECT ZTITLE FROM ZITEM WHERE Z_PK = \(value: .integer(Int64(key))))"
        )
        #expect(found == [[.integer(Int64(key))]])
      }
    }
  }

  /// Regardless of which part of the table is missing, the errors equal SQLite's.
  @Test(arguments: [0.1, 0.2, 0.35, 0.5]) func truncated(_ part: Double) throws {
    let fixture = try Self.filled()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: fixture.path)))
    // Without the number of pages in the header, SQLite only notices missing pages when it reads them.
    bytes.replaceSubrange(28..<32, with: [0, 0, 0, 0])
    let kept = Int(Double(bytes.count) * part)
    try Data(bytes.prefix(kept)).write(to: URL(fileURLWithPath: fixture.path))
    let plain = Self.outcome(
      DatabaseFile.Opening(uri: DatabaseFile.uri(LocalPath(fixture.path), ["immutable=1"])),
      fixture.path)
    let ahead = Self.outcome(Self.readAhead(fixture.path), fixture.path)
    #expect(plain == ahead)
    #expect(ahead.contains("malformed"))
  }

  private static func readAhead(_ path: String) -> DatabaseFile.Opening {
    DatabaseFile.Opening(
      uri: DatabaseFile.uri(LocalPath(path), ["immutable=1", "vfs=\(ReadAheadVFS.name)"]),
      isReadAhead: true)
  }

  private static func outcome(_ opening: DatabaseFile.Opening, _ path: String) -> String {
    do {
      let queue = try Store.connect(opening, path: LocalPath(path), .reading)
      return try everything(queue).joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  @Test func aMissingFileCannotBeOpened() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none")
    #expect(throws: DatabaseError.self) {
      try Store.connect(Self.readAhead(path), path: LocalPath(path), .reading)
    }
  }

  @Test func manyAtOnce() async throws {
    let fixture = try Self.filled()
    let expected = try Self.sum(fixture.path)
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<8 { group.addTask { try Self.sum(fixture.path) } }
      for try await sum in group { #expect(sum == expected) }
    }
  }

  private static func sum(_ path: String) throws -> Int64 {
    try Store.open(LocalPath(path), .reading).read {
      try $0.integer("SELECT sum(length(ZTITLE) * Z_PK) FROM ZITEM")
    }
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func realStores() throws {
    var count = 0
    for store in Corpus.storePaths {
      let source = Corpus.store(store)
      let hasWal = FileManager.default.fileExists(atPath: source.path + "-wal")
      guard try !hasWal && DatabaseFile(LocalPath(source.path)).journal == .wal else { continue }
      try Self.expectNoDifference(source.path)
      count += 1
    }
    #expect(count > 10)
  }
}
