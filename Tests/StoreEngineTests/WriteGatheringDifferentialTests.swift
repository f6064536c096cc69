import StoreDiagnostics
import Foundation
import SampleData
import SeededRandom
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// After any sequence of batch commands and rollbacks, the files are byte for byte identical to the files of SQLite's
/// own VFS.
@Suite struct WriteGatheringDifferentialTests {
  private let layout = StoreLayout(model: SampleModels.todo)

  private enum Step {
    case insert(first: Int, count: Int)
    case update([String], String)
    case delete(String)
    case abandon(String)
  }

  private static func steps(seed: UInt64) -> [Step] {
    var generator = SeededGenerator(seed: seed)
    var last = 0
    return (0..<12).map { number in
      let digit = String(Int.random(in: 1...9, using: &generator))
      let rows = "title BEGINSWITH '\(digit)'"
      switch number == 0 ? 0 : Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        defer { last += 4_000 }
        return .insert(first: last + 1, count: Int.random(in: 500...4_000, using: &generator))
      case 2: return .update(["done:=TERNARY(done == YES, NO, YES)"], "title != nil")
      case 3: return .update(["title:=uppercase:(title)", "done=true"], rows)
      case 4: return .delete(rows)
      default: return .abandon(digit)
      }
    }
  }

  private func apply(_ step: Step, to store: Store) throws {
    // The cache is small, so pages are written long before the commit.
    try store.write { _ = try $0.run("PRAGMA cache_size = 10") }
    switch step {
    case .insert(let first, let count): try Self.insert(first, count, into: store)
    case .update(let values, let predicate):
      var (update, texts) = try UpdateAssignments(values).update(of: "Item", in: layout) { _, _ in
        throw StoreLayoutError.notAStore(path: "")
      }
      let text = PredicateText(predicate, context: "in --where")
      texts.predicate = text
      update.predicate = try text.predicate()
      let plan = try update.plan(in: layout, storeUUID: store.metadata.uuid, texts: texts)
      _ = try store.update(by: plan, in: layout)
    case .delete(let predicate):
      let request = BatchDelete(
        entity: "Item", predicate: try FormatPredicate(parsing: predicate), rules: .model)
      _ = try store.delete(request.plan(in: layout, knowsKeys: false), in: layout)
    case .abandon(let digit):
      struct Abandoned: Error {}
      #expect(throws: Abandoned.self) {
        try store.write { connection in
          _ = try connection.run(
            "UPDATE ZITEM SET ZTITLE = ZTITLE || ZTITLE || \(value: .text(digit))")
          throw Abandoned()
        }
      }
    }
  }

  private static func insert(_ first: Int, _ count: Int, into store: Store) throws {
    try store.write { connection in
      _ = try connection.run(
        """
        WITH RECURSIVE numbers (n) AS (
          SELECT \(.number(Int64(first))) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(.number(Int64(first + count - 1))))
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZDONE, ZTITLE)
        SELECT n, 1, 1, n % 2, n * 7919 % 10007 || ' abc' || hex(zeroblob(n % 90)) FROM numbers
        """)
    }
  }

  /// `WRITE_GATHERING_SEEDS=17` repeats one seed, `WRITE_GATHERING_SEEDS=1000-2000` runs more seeds.
  @Test(arguments: [true, false], Seeds.named("WRITE_GATHERING_SEEDS", otherwise: 1...2))
  func sameBytes(hasLog: Bool, seed: UInt64) throws {
    let fixture = try StoreFixture()
    if !hasLog { try fixture.edit("PRAGMA journal_mode = DELETE") }
    let plain = fixture.folder.path("Plain.sqlite")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: plain)
    for (number, step) in Self.steps(seed: seed).enumerated() {
      let gathering = try Store.open(LocalPath(fixture.path), .writing)
      let other = try Store.open(
        LocalPath(plain),
        DatabaseFile.Opening(uri: DatabaseFile.uri(LocalPath(plain), ["mode=rw"])),
        .writing)
      try apply(step, to: gathering)
      try apply(step, to: other)
      try gathering.close()
      try other.close()
      let contents = try fixture.contents()
      try #require(
        contents["Todo.sqlite"] == contents["Plain.sqlite"], "seed \(seed), step \(number)")
      try #require(contents.count == 2, "seed \(seed), step \(number): nothing is left to be done")
    }
  }
}
