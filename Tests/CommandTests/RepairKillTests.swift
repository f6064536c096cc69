import Foundation
import SeededRandom
import Testing
import TestSupport

/// A killed repair is either complete or has no effect.
@Suite(.enabled(if: SQLiteShell.executable != nil, "the sqlite3 shell isn't installed"))
struct RepairKillTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.folder.write(Self.model, to: "Stock.xml")
    try samples.expect("storetool create full.sqlite --model Stock.xml")
    try samples.folder.write(Self.damage, to: "damage.sql")
    try samples.expect("sqlite3 full.sqlite <damage.sql")
  }

  private static let model = """
    <?xml version="1.0"?>
    <model>
      <entity name="Box">
        <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part" \
    inverseName="box" inverseEntity="Part"/>
      </entity>
      <entity name="Part">
        <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" \
    inverseName="parts" inverseEntity="Box"/>
        <relationship name="uses" optional="YES" toMany="YES" destinationEntity="Tool" \
    inverseName="usedFor" inverseEntity="Tool"/>
      </entity>
      <entity name="Tool">
        <relationship name="usedFor" optional="YES" toMany="YES" destinationEntity="Part" \
    inverseName="uses" inverseEntity="Part"/>
      </entity>
    </model>
    """

  /// Creates 20,000 parts. One in three refers to a missing box, and one in two uses a missing tool.
  private static let damage = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
    ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
    ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZBOX) SELECT i, 2, 1, iif(i % 3 = 0, 7, 1) FROM n;
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
    INSERT INTO ZTOOL (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
    INSERT INTO Z_2USES (Z_2USEDFOR, Z_3USES) SELECT Z_PK, 1 + Z_PK % 2 FROM ZPART;
    """

  private static let moments = Soak.times(6)

  @Test func atAnyMoment() throws {
    var generator = SeededGenerator(seed: 12)
    let before = try state(of: "full.sqlite")
    try copy()
    let start = ContinuousClock.now
    #expect(try repair(for: .seconds(600)) == 0)
    let duration = ContinuousClock.now - start
    let after = try state(of: "copy.sqlite")
    #expect(before == "20000|20000|20000|0|0|0\nok\n")
    // The repair removes 6,666 references and 10,000 pairs, of which 3,333 belong to one part.
    #expect(after == "13334|10000|33333|13333|1|20000\nok\n")
    let killed = try generator.stops(Self.moments, within: duration) { moment in
      try copy()
      let isKilled = try repair(for: moment) == SIGKILL
      let found = try state(of: "copy.sqlite")
      #expect(found == before || found == after, "killed after \(moment): \(found)")
      return isKilled
    }
    #expect(killed > 0)
  }

  private func copy() throws {
    try samples.expect("rm -f copy.sqlite-wal copy.sqlite-shm; cp full.sqlite copy.sqlite")
  }

  private func repair(for duration: Duration) throws -> Int32 {
    try samples.run(
      ["verify", "--repair", "--store", "copy.sqlite", "--model", "Stock.xml"], after: duration
    ).status
  }

  /// Returns all values that the repair changes, in one line.
  private func state(of name: String) throws -> String {
    try samples.expect(
      """
      sqlite3 \(name) 'SELECT (SELECT count(ZBOX) FROM ZPART), (SELECT count(*) FROM Z_2USES), \
      (SELECT sum(Z_OPT) FROM ZPART), (SELECT count(*) FROM ACHANGE), \
      (SELECT count(*) FROM ATRANSACTION), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2); \
      PRAGMA integrity_check'
      """)
  }
}
