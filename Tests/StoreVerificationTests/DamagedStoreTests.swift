import StoreDiagnostics
import Foundation
import SampleData
import SeededRandom
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreTestSupport
import StoreVerification
import Testing

/// Damage of a store is reported as an error that describes it, and never as a crash.
struct DamagedStoreTests {
  private func thrown(_ work: () throws -> Void) -> (any Error)? {
    do {
      try work()
      return nil
    } catch {
      return error
    }
  }

  /// For any bytes, the calls succeed or throw an error about the file.
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
      _ = try Store.describe(LocalPath(fixture.path))
      _ = try Store.open(LocalPath(fixture.path), .reading).layout(for: SampleModels.library)
    }
    switch found {
    case nil, DatabaseError.damaged?, DatabaseError.notADatabase?, StoreLayoutError.notAStore?,
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
      let error = thrown { _ = try Store.open(LocalPath(fixture.path), access) }
      guard case DatabaseError.damaged? = error else {
        Issue.record("the damage was overlooked")
        return
      }
    }
    let description = try Store.describe(LocalPath(fixture.path))
    #expect(description.entities.map(\.name) == ["Item", "List"])
    let store = try Store.open(LocalPath(fixture.path), .reading, acceptsFaults: true)
    let kinds: [StoreFinding.Kind] =
      sql.hasPrefix("ALTER")
      ? [.missingColumn("Z_PLIST", table: "Z_METADATA")] : [.unreadableMetadata(reason)]
    #expect(try store.verify(in: nil).map(\.kind) == kinds)
    #expect(description.findings.map(\.kind) == kinds)
  }

  @Test(arguments: [
    ("DROP TABLE Z_PRIMARYKEY", "the table Z_PRIMARYKEY is missing"),
    ("ALTER TABLE ZITEM RENAME Z_ENT TO ZX", "ZITEM has no column Z_ENT"),
  ])
  func whatIsMissingDoesNotEndADescription(_ sql: String, _ sentence: String) throws {
    let fixture = try StoreFixture()
    try fixture.edit(sql)
    #expect(try Store.describe(LocalPath(fixture.path)).findings.map(\.message).contains(sentence))
  }

  @Test func metadataCanBeMissing() throws {
    let fixture = try StoreFixture()
    try fixture.edit("UPDATE Z_METADATA SET Z_PLIST = NULL")
    #expect(try Store.describe(LocalPath(fixture.path)).findings.map(\.kind) == [.noHashes])
    try fixture.edit("DELETE FROM Z_METADATA")
    #expect(try Store.describe(LocalPath(fixture.path)).findings.map(\.kind) == [.noMetadata])
    #expect(try Store.open(LocalPath(fixture.path), .reading).metadata.hashes.isEmpty)
  }
}
