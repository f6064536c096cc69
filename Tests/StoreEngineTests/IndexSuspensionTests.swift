import StoreDiagnostics
import SampleData
import Testing

@testable import SQLiteAccess
@testable import StoreCore

struct IndexSuspensionTests {
  private let database: MemoryDatabase

  init() throws {
    database = try MemoryDatabase()
    try database.inside { connection in
      try connection.run(
        "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER, ZB VARCHAR UNIQUE)")
      // Unusual spelling and spacing that storetool itself never writes.
      try connection.run("CREATE INDEX \"Odd name\"   ON ZT (ZA COLLATE BINARY ASC) -- why not")
      try connection.run("CREATE UNIQUE INDEX Z_T_UNIQUE_b ON ZT (ZB COLLATE BINARY ASC)")
      try connection.run("CREATE INDEX Z_T_partial ON ZT (Z_PK) WHERE ZB > 'a'")
      try connection.run("INSERT INTO ZT VALUES (1, 10, 'x'), (2, 20, 'y'), (3, 10, 'z')")
      try connection.run("ANALYZE")
    }
  }

  private func catalogue() throws -> [[SQLiteValue]] {
    try database.inside {
      try $0.rows("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
        + $0.rows("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY idx")
    }
  }

  @Test func everythingComesBackAsItWas() throws {
    let before = try catalogue()
    let suspension = try database.inside { try IndexSuspension(on: "ZT", $0) }
    #expect(suspension.indexes.map(\.name) == ["Odd name", "Z_T_UNIQUE_b", "Z_T_partial"])
    try database.inside { connection in
      try suspension.drop(on: connection)
      #expect(
        try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index'")
          == [[.text("sqlite_autoindex_ZT_1")]])
      var told: [WorkStep] = []
      try suspension.rebuild(on: connection, willMake: { told.append($0) })
      #expect(
        told == [
          WorkStep("recreating index 1 of 3, Odd name", share: 0),
          WorkStep("recreating index 2 of 3, Z_T_UNIQUE_b", share: 1.0 / 3),
          WorkStep("recreating index 3 of 3, Z_T_partial", share: 2.0 / 3),
        ])
    }
    #expect(try catalogue() == before)
  }

  @Test func onlyIndexesThatTheColumnsMove() throws {
    func names(_ columns: Set<String>) throws -> [String] {
      try database.inside { try IndexSuspension(on: "ZT", columns: columns, $0) }.indexes.map(
        \.name)
    }
    // The condition of the partial index may refer to any column.
    #expect(try names(["ZA"]) == ["Odd name", "Z_T_partial"])
    #expect(try names(["ZB"]) == ["Z_T_UNIQUE_b", "Z_T_partial"])
    #expect(try names(["ZC"]) == ["Z_T_partial"])
  }

  @Test func duplicatesAreFoundWhenAUniqueIndexComesBack() throws {
    try database.inside { connection in
      try connection.run("DELETE FROM ZT WHERE Z_PK = 3")
      try connection.run("CREATE UNIQUE INDEX onA ON ZT (ZA)")
      let suspension = try IndexSuspension(on: "ZT", columns: ["ZA"], connection)
      try suspension.drop(on: connection)
      try connection.run("INSERT INTO ZT VALUES (3, 10, 'z')")
      let duplicate = DatabaseError.constraint(
        path: ":memory:", message: "UNIQUE constraint failed: ZT.ZA")
      #expect(throws: duplicate) { try suspension.rebuild(on: connection) }
    }
  }
}
