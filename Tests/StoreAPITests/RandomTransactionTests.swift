import Foundation
import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import Synchronization
import TestSupport
import Testing

/// Random transactions with nested parts, errors and cancellations. The results are compared with a dictionary in
/// memory and with a store that runs each successful request separately.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct RandomTransactionTests {
  /// `TRANSACTION_SEEDS=1-500` runs more seeds.
  @Test(arguments: Seeds.named("TRANSACTION_SEEDS", otherwise: 1...12))
  func agree(_ seed: UInt64) async throws {
    let sample = try await SampleStore("League")
    let single = try await SampleStore("League")
    try sample.keepHistory()
    try single.keepHistory()
    let uuids = try [sample, single].map { try $0.rows("SELECT Z_UUID FROM Z_METADATA")[0] }
    var random = SeededGenerator(seed: seed)
    var league = RandomLeague()
    var (transactions, requests) = (0, 0)
    for number in 0..<25 {
      let run = TransactionRun(league, in: uuids[0], seed: random.next())
      let task = Task {
        try await sample.store.transaction { try run.run($0) }
      }
      run.cancel.withLock { $0 = { task.cancel() } }
      run.start.signal()
      do {
        try await task.value
        #expect(run.ending == .commit, "seed \(seed), transaction \(number)")
        for request in run.done { try await request.run(in: single.store, uuids[1]) }
        transactions += run.league.changeCount > league.changeCount ? 1 : 0
        requests += run.done.count
        league = run.league
      } catch is CancellationError {
        #expect(run.ending == .cancellation, "seed \(seed), transaction \(number)")
      } catch is RandomLeague.Refused {
        #expect(run.ending == .failure, "seed \(seed), transaction \(number)")
      }
      let teams = try await sample.store.fetch(Team.all)
      #expect(
        Dictionary(uniqueKeysWithValues: teams.map { ($0.id.objectID.primaryKey, $0.value) })
          == league.teams, "seed \(seed), transaction \(number): \(run.ending), \(run.done)")
    }
    #expect(requests > 10, "seed \(seed)")
    let query = "SELECT * FROM ZTEAM ORDER BY Z_PK; SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT < 3"
    #expect(try sample.rows(query) == single.rows(query), "seed \(seed)")
    // Everything except the number of the transaction.
    func changes(_ sample: SampleStore) throws -> [Substring] {
      try sample.changes().map { $0.drop { $0 != "|" } }
    }
    #expect(try changes(sample) == changes(single), "seed \(seed)")
    #expect(
      try sample.rows("SELECT count(*), count(DISTINCT Z_PK) FROM ATRANSACTION")
        == ["\(transactions)|\(transactions)"], "seed \(seed)")
  }
}

/// One transaction. Its requests, its nested parts and its end are chosen at random while it runs.
private final class TransactionRun: @unchecked Sendable {
  // Used by the test before and after the transaction, and by the store's thread during it.
  private(set) var league: RandomLeague
  /// The requests that take effect, in order.
  private(set) var done: [RandomLeague.Request] = []
  private(set) var ending = Ending.commit
  let cancel = Mutex<@Sendable () -> Void>({})
  let start = DispatchSemaphore(value: 0)
  private let uuid: String
  private var random: SeededGenerator

  enum Ending {
    case commit, failure, cancellation
  }

  init(_ league: RandomLeague, in uuid: String, seed: UInt64) {
    self.league = league
    self.uuid = uuid
    random = SeededGenerator(seed: seed)
  }

  func run(_ transaction: StoreTransaction) throws {
    start.wait()
    do {
      try runPart(of: transaction, depth: 0)
    } catch {
      ending = error is CancellationError ? .cancellation : .failure
      throw error
    }
  }

  private func runPart(of transaction: StoreTransaction, depth: Int) throws {
    for _ in 0...random.below(5) {
      switch random.below(12) {
      case 0..<8: try runRequest(in: transaction)
      case 8, 9: try runNested(in: transaction, depth: depth)
      case 10: if random.below(3) == 0 { throw RandomLeague.Refused() }
      default:
        guard random.below(4) == 0 else { continue }
        cancel.withLock { $0() }
        _ = try transaction.fetch(Team.all.count)
        Issue.record("a request of a cancelled transaction was answered")
      }
    }
  }

  private func runRequest(in transaction: StoreTransaction) throws {
    let request = RandomLeague.Request.random(&random, in: league)
    var next = league
    let succeeds = next.apply(request)
    do {
      try request.run(in: transaction, uuid)
      #expect(succeeds, "\(request)")
      league = next
      done.append(request)
    } catch let failure as StoreError {
      #expect(!succeeds, "\(request): \(failure)")
      if random.below(4) == 0 { throw RandomLeague.Refused() }
    }
  }

  private func runNested(in transaction: StoreTransaction, depth: Int) throws {
    guard depth < 3 else { return }
    let before = (league, done)
    do {
      try transaction.nested { try runPart(of: transaction, depth: depth + 1) }
    } catch is RandomLeague.Refused {
      (league, done) = before
      if random.below(3) == 0 { throw RandomLeague.Refused() }
    }
  }
}
