import TestSupport
import Testing

/// A killed deletion is either complete or has no effect.
struct DeletionKillTests {
  private static let rows = 60_000

  /// Deletes every second row with the strategy that temporarily drops indexes. The moment of the kill depends on the
  /// machine, and the result must be correct at any moment.
  @Test(.enabled(if: SQLiteShell.executable != nil, "the sqlite3 shell isn't installed"))
  func killedAtAnyMoment() throws {
    let samples = try SampleFolder()
    try samples.expect("storetool create --model Models/Todo.xcdatamodeld")
    try samples.expect(
      """
      sqlite3 Todo.sqlite 'CREATE INDEX byName ON ZITEM (ZNAME); WITH RECURSIVE n(i) AS (SELECT 1 \
      UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows)) INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \
      ZDONE, ZNAME) SELECT i, 1, 1, i % 2, hex(i * 7919) FROM n'
      """)
    try samples.expect("cp Todo.sqlite before.db")
    for tenths in ["0.02", "0.04", "0.06", "0.08", "0.1", "0.13", "0.16", "0.2", "0.3", "0.5"] {
      let outcome = try samples.shell.run(
        """
        rm -f Todo.sqlite-wal Todo.sqlite-shm; cp before.db Todo.sqlite
        storetool batch-delete Item --where 'done == YES' --store Todo.sqlite >out 2>err & tool=$!
        sleep \(tenths); kill -KILL $tool; wait $tool
        sqlite3 Todo.sqlite 'SELECT count(*), (SELECT count(*) FROM sqlite_master WHERE name = "byName") FROM ZITEM; PRAGMA integrity_check'
        """)
      #expect(
        ["\(Self.rows)|1\nok\n", "\(Self.rows / 2)|1\nok\n"].contains(outcome.output),
        "after \(tenths) s: \(outcome.output)")
    }

  }
}
