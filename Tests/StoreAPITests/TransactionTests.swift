import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import Synchronization
import TestSupport
import Testing

/// Several requests in one transaction.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct TransactionTests {
  private struct Refused: Error {}

  @Test func severalRequestsAreOneChange() async throws {
    let sample = try await SampleStore("League")
    let seen = try await sample.store.transaction { transaction in
      let tigers = try transaction.create(Team(name: "Tigers", points: 3))
      try transaction.create([Player(name: "Ann", team: tigers), Player(name: "Bea", team: tigers)])
      try transaction.batchUpdate(Team.self) { $0.set(\.points, to: \.points + 2) }
        .where(\.name == "Tigers")
      #expect(try transaction.fetch(Player.all.where(\.team.name == "Tigers").count) == 2)
      #expect(try transaction.object(tigers)?.points == 5)
      // Another process doesn't see the uncommitted row.
      #expect(try sample.rows("SELECT count(*) FROM ZTEAM") == ["0"])
      return try transaction.fetch(Player.all.ordered(by: \.name).select(\.name, \.team.points))
    }
    #expect(seen.map(\.0) == ["Ann", "Bea"])
    #expect(seen.map(\.1) == [5, 5])
    #expect(try sample.rows("SELECT ZNAME, ZPOINTS FROM ZTEAM") == ["Tigers|5"])
    #expect(try sample.rows("SELECT count(*) FROM ZPLAYER WHERE ZTEAM = 1") == ["2"])
  }

  @Test func aThrowTakesAllBack() async throws {
    let sample = try await SampleStore("League")
    let id = try await sample.store.create(Team(name: "Tigers"))
    let before = try sample.content()
    await #expect(throws: Refused.self) {
      try await sample.store.transaction { transaction in
        try transaction.update(id) { $0.points = 9 }
        try transaction.batchInsert((1...500).map { Team(name: "Team \($0)") })
        try transaction.batchDelete(Team.self).where(\.name == "Team 7")
        throw Refused()
      }
    }
    #expect(try sample.content() == before)
    // The store is still usable, and the keys are assigned again.
    #expect(try await sample.store.create(Team(name: "Lions")).objectID.primaryKey == 2)
  }

  @Test func aFailedRequestLeavesNothingAndTheRestStays() async throws {
    let sample = try await SampleStore("League")
    try sample.keepHistory()
    let reason = try await sample.store.transaction { transaction in
      try transaction.create(Team(name: "Tigers"))
      var reason: StoreError.Reason?
      do {
        try transaction.batchInsert(["Lions", "Bears", "Tigers"].map { Team(name: $0) })
      } catch let failure as StoreError {
        reason = failure.reason
      }
      try transaction.create(Team(name: "Wolves"))
      return reason
    }
    #expect(reason == .notUnique)
    #expect(
      try sample.rows("SELECT Z_PK, ZNAME FROM ZTEAM ORDER BY 1") == ["1|Tigers", "2|Wolves"])
    #expect(try sample.changes() == ["1|2|1|0|", "1|2|2|0|"])
    #expect(try sample.authors() == ["storetool|"])
  }

  /// SQLite keeps the row ID of the last INSERT even after a rollback.
  @Test func anUpdateIsNotTakenForAnInsertion() async throws {
    let sample = try await SampleStore("League")
    let outcome = try await sample.store.transaction { transaction in
      try transaction.create(Team(name: "Tigers"))
      do {
        try transaction.create([Team(name: "Lions"), Team(name: "Tigers")])
      } catch is StoreError {
        // The key of the lions is available again.
      }
      return try transaction.batchInsert([Team(name: "Tigers", points: 3)], onConflict: .update)
    }
    #expect(outcome == InsertResult(inserted: 0, updated: 1))
    #expect(try sample.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team'") == ["1"])
  }

  @Test func partsAreTakenBackAlone() async throws {
    let sample = try await SampleStore("League")
    try sample.keepHistory()
    let refused = try await sample.store.transaction(author: "sync") { transaction in
      var refused: [String] = []
      do {
        try transaction.nested {
          // The first change in the history, which is rolled back with the nested part.
          try transaction.create(Team(name: "Lost"))
          throw Refused()
        }
      } catch is Refused {
        refused.append("first")
      }
      try transaction.nested {
        try transaction.create(Team(name: "Outer"))
        do {
          try transaction.nested {
            try transaction.batchDelete(Team.self).everywhere()
            throw Refused()
          }
        } catch is Refused {
          refused.append("second")
        }
        try transaction.nested { _ = try transaction.create(Team(name: "Inner")) }
      }
      return refused
    }
    #expect(refused == ["first", "second"])
    let rows = try sample.rows("SELECT Z_PK, ZNAME FROM ZTEAM ORDER BY 1")
    #expect(rows == ["1|Outer", "2|Inner"])
    #expect(try sample.changes() == ["1|2|1|0|", "1|2|2|0|"])
    #expect(try sample.authors() == ["sync|"])
  }

  @Test func theHistorySaysWho() async throws {
    let sample = try await SampleStore("League")
    try sample.keepHistory()
    let store = sample.store
    let nightly = ChangeAuthor("importer", contextName: "nightly")
    try await store.transaction(author: nightly) { transaction in
      let id = try transaction.create(Team(name: "Tigers"))
      try transaction.update(id) { $0.points = 1 }
      try transaction.delete(id)
    }
    let id = try await store.create(Team(name: "Lions"), author: "till")
    try await store.update(id, author: "till") { $0.points = 1 }
    try await store.batchInsert([Team(name: "Bears")], author: "till")
    try await store.batchUpdate(Team.self, author: "till") { $0.points = 2 }.everywhere()
    try await store.batchDelete(Team.self, author: "till").where(\.name == "Bears")
    try await store.delete(id, author: "till")
    try await store.createOrUpdate(Team(name: "Wolves"))
    #expect(
      try sample.authors()
        == ["importer|nightly"] + Array(repeating: "till|", count: 6) + ["storetool|"])
    // One for each request, all in the same transaction.
    #expect(try sample.changes().filter { $0.hasPrefix("1|") }.count == 3)
  }

  @Test func nothingIsWrittenWithoutARequest() async throws {
    let sample = try await SampleStore("League")
    try sample.keepHistory()
    let before = try sample.content()
    let count = try await sample.store.transaction { try $0.fetch(Team.all.count) }
    #expect(count == 0)
    #expect(try sample.content() == before)
  }

  @Test func itEndsWithItsClosure() async throws {
    let sample = try await SampleStore("League")
    let leaked = Mutex<(@Sendable () throws -> Void)?>(nil)
    try await sample.store.transaction { transaction in
      nonisolated(unsafe) let escaped = transaction
      leaked.withLock { $0 = { _ = try escaped.create(Team(name: "Late")) } }
    }
    let late = try #require(leaked.withLock { $0 })
    let failed = try await failure { try late() }
    #expect(failed?.reason == .transactionOver)
    #expect(try sample.rows("SELECT count(*) FROM ZTEAM") == ["0"])
  }

  @Test func aDeadlineTakesAllBack() async throws {
    let sample = try await SampleStore("League")
    let before = try sample.content()
    let failed = try await failure {
      try await sample.store.transaction(deadline: .milliseconds(200)) { transaction in
        try transaction.create(Team(name: "Tigers"))
        // The sequence is infinite, so only the deadline ends the request.
        try transaction.batchInsert((1...).lazy.map { Team(name: "Team \($0)") })
      }
    }
    #expect(failed?.reason == .timedOut)
    #expect(failed?.description.contains("took longer than 200 ms") == true)
    #expect(try sample.content() == before)
    let count = try await sample.store.read(deadline: .seconds(60)) { try $0.fetch(Team.all.count) }
    #expect(count == 0)
  }

  /// SQLite rolls back the whole transaction when it interrupts a statement. Statements after it must not be committed
  /// on their own.
  @Test func cancellingCanNotBeCaught() async throws {
    let sample = try await SampleStore("League")
    let before = try sample.content()
    let barrier = Barrier()
    let task = Task {
      try await sample.store.transaction { transaction in
        try transaction.create(Team(name: "Tigers"))
        do {
          try transaction.batchInsert(
            (1...).lazy.map { ["name": DataValue.string("Team \($0)")] }, into: "Team",
            progress: barrier.hold)
        } catch {
          _ = try? transaction.create(Team(name: "Lions"))
        }
      }
    }
    await barrier.isReached()
    task.cancel()
    barrier.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.content() == before)
  }

  @Test func aSnapshotStaysAsItIs() async throws {
    let sample = try await SampleStore("League")
    try await sample.store.create(Team(name: "Tigers"))
    let counts = try await sample.store.read { snapshot in
      let before = try snapshot.fetch(Team.all.count)
      // The store is in WAL mode, so readers don't block writers.
      #expect(try sample.rows("UPDATE ZTEAM SET ZNAME = 'Lions'; DELETE FROM ZTEAM") == [])
      #expect(try snapshot.first(Team.all)?.name == "Tigers")
      #expect(try snapshot.fetch(StoreFetchRequest(entity: "Team"), returning: .count) == 1)
      return (before, try snapshot.fetch(Team.all.count))
    }
    #expect(counts == (1, 1))
    #expect(try await sample.store.fetch(Team.all.count) == 0)
  }

  @Test func badRequestsSayWhatIsWrong() async throws {
    let sample = try await SampleStore("League")
    let failed = try await failure {
      _ = try await sample.store.transaction { transaction in
        try transaction.batchUpdate(
          BatchUpdate(entity: "Team", values: [.init("pints", .value(.integer(1)))]))
      }
    }
    #expect(failed?.reason == .invalidRequest)
    let missing = try await failure {
      try await sample.store.transaction { transaction in
        let id = try transaction.create(Team(name: "Tigers"))
        try transaction.delete(id)
        try transaction.update(id) { $0.points = 1 }
      }
    }
    #expect(missing?.reason == .noObject)
    #expect(try sample.rows("SELECT count(*) FROM ZTEAM") == ["0"])
  }
}
