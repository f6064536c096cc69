import GRDB
import Testing

@testable import StoreEngine

/// The triggers keep derived attributes right while another program writes.
@Suite struct DerivationTriggerTests {
  private func open(_ fixture: StoreFixture) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { database in
      for name in DerivationTriggers.functions {
        database.add(function: DatabaseFunction(name, argumentCount: 5) { _ in nil })
      }
    }
    return try DatabaseQueue(path: fixture.path, configuration: configuration)
  }

  @Test func countsAndCopiesFollow() throws {
    let fixture = try StoreFixture(SampleModels.library)
    let queue = try open(fixture)
    func derived(after sql: String) throws -> String {
      try queue.write { database in
        try database.execute(sql: sql)
        let rows = try Row.fetchAll(
          database, sql: "SELECT Z_PK, ZLOANCOUNT, ZAUTHORNAME FROM ZBOOK ORDER BY Z_PK")
        return rows.map { row in
          "\(row[0] as Int): \(row[1] as Int? ?? -1) \(row[2] as String? ?? "-")"
        }.joined(separator: ", ")
      }
    }
    #expect(
      try derived(
        after: """
          INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 3, 'Ray'), (2, 3, 'Ann');
          INSERT INTO ZBOOK (Z_PK, Z_ENT, ZAUTHOR) VALUES (1, 1, 1), (2, 1, NULL);
          """) == "1: 0 Ray, 2: 0 -")
    #expect(
      try derived(
        after: """
          INSERT INTO ZVISIT (Z_PK, Z_ENT, ZBOOK) VALUES (1, 5, 1), (2, 5, 1), (3, 5, NULL)
          """) == "1: 2 Ray, 2: 0 -")
    #expect(
      try derived(after: "UPDATE ZVISIT SET ZBOOK = 2 WHERE Z_PK = 1; UPDATE ZBOOK SET ZAUTHOR = 2")
        == "1: 1 Ann, 2: 1 Ann")
    #expect(
      try derived(after: "DELETE FROM ZVISIT; UPDATE ZPERSON SET ZNAME = 'Eve' WHERE Z_PK = 2")
        == "1: 0 Eve, 2: 0 Eve")
    try queue.close()
  }
}
