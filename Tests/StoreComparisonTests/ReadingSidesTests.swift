import StoreDiagnostics
import SQLiteAccess
import StoreComparison
import StoreTestSupport
import Testing
import StoreCore

/// The rows of two stores are read by two threads, in many batches.
@Suite struct ReadingSidesTests {
  private let old: GraphStore
  private let new: GraphStore

  init() throws {
    (old, new) = (try GraphStore(), try GraphStore())
    try Self.addTags("i", to: old)
  }

  /// 20,000 names: `tag 1` and so on.
  private static func addTags(_ key: SQL, to store: GraphStore) throws {
    try store.store.write {
      _ = try $0.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZKEY) SELECT \(key), 5, 1, 'tag ' || i FROM n
        """)
    }
  }

  private func change(_ sql: SQL) throws { try new.store.write { _ = try $0.run(sql) } }

  private func compare(
    _ rules: MatchingRules = MatchingRules(rest: .objectID),
    visit: ((VisitedDifference) throws -> Void)? = nil
  ) throws -> ComparisonSummary.EntityCounts {
    let plan = try ComparisonPlan(old.layout, new.layout, by: rules, of: .init(entities: ["Tag"]))
    return try old.store.read { one in
      try new.store.read { other in
        let stores = (old.compared(one), new.compared(other))
        return try StoreComparison(plan).run(stores.0, stores.1, visit: visit).entities[0]
      }
    }
  }

  private let byKey = MatchingRules(
    rest: .objectID, keys: [EntityKey(entity: "Tag", attributes: ["key"])])

  @Test func byObjectID() throws {
    try Self.addTags("i", to: new)
    try change("UPDATE ZTAG SET ZKEY = 'other' WHERE Z_PK % 700 = 1")
    try change("DELETE FROM ZTAG WHERE Z_PK % 1000 = 0 OR Z_PK > 19000")
    let counts = try compare()
    #expect([counts.oldRows, counts.newRows] == [20_000, 18_981])
    #expect([counts.added, counts.removed, counts.changed] == [0, 1019, 28])
  }

  @Test func byKeyInAnotherOrder() throws {
    try Self.addTags("20001 - i", to: new)
    try change("DELETE FROM ZTAG WHERE Z_PK % 1000 = 0")
    try change("UPDATE ZTAG SET ZKEY = 'new ' || Z_PK WHERE Z_PK % 1000 = 1")
    let counts = try compare(byKey)
    #expect([counts.oldRows, counts.newRows] == [20_000, 19_980])
    #expect([counts.added, counts.removed, counts.changed] == [20, 40, 0])
  }

  /// Both threads still have rows to read.
  @Test func whoIsToldOfDifferencesMayStop() throws {
    struct Enough: Error {}
    try Self.addTags("i", to: new)
    try change("UPDATE ZTAG SET ZKEY = 'other ' || Z_PK")
    var seen = 0
    #expect(throws: Enough.self) {
      _ = try compare(byKey) { _ in
        seen += 1
        throw Enough()
      }
    }
    #expect(seen == 1)
    for store in [old, new] {
      _ = try store.store.read { try $0.integer("SELECT count(*) FROM ZTAG") }
    }
    #expect(try compare(byKey).removed == 20_000)
  }

  @Test(arguments: [false, true]) func anErrorOfEitherSideIsTheCallers(isNew: Bool) throws {
    try Self.addTags("i", to: new)
    try (isNew ? new : old).store.write {
      _ = try $0.run("ALTER TABLE ZTAG RENAME COLUMN ZKEY TO ZELSE")
    }
    for rules in [byKey, MatchingRules(rest: .objectID)] {
      var seen = 0
      let error = #expect(throws: (any Error).self) { _ = try compare(rules) { _ in seen += 1 } }
      #expect(String(describing: error).contains("ZKEY"))
      #expect(seen == 0)
    }
  }

  /// If both stores have ambiguous keys, the error is about the older store.
  @Test func ambiguousKeysOfBothStores() throws {
    try Self.addTags("i", to: new)
    for store in [old, new] {
      try store.store.write { _ = try $0.run("UPDATE ZTAG SET ZKEY = 'same' WHERE Z_PK < 4") }
    }
    #expect(
      throws: ComparisonError.ambiguousKey(
        entity: "Tag", values: ["\"same\""], rowCount: 3, path: LocalPath(old.file.path))
    ) { _ = try compare(byKey) }
  }
}
