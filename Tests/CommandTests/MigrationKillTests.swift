import Foundation
import SeededRandom
import Testing

/// A killed or cancelled migration is either complete or has no effect.
struct MigrationKillTests {
  private typealias Setting = FaultTrial.Setting

  /// With this number of rows, copying rows takes longer than reading models.
  private static let manyRows = 3_000
  private static let moments = Soak.times(6)
  /// `KILL_SEEDS=17` repeats one seed, and `KILL_SEEDS=1000-1010` tests more seeds.
  private static let seeds = Seeds.named("KILL_SEEDS", otherwise: 1...1)

  @Test(arguments: Setting.all, seeds)
  private func killedAtRandomMoments(_ setting: Setting, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var trial = try FaultTrial(setting, rows: Self.manyRows)
    let stopped = try generator.stops(Self.moments, within: trial.duration) { moment in
      let (ending, isDone) = try trial.run(after: moment, "seed \(seed), \(moment)")
      #expect(isDone || ending.signal == SIGKILL, "seed \(seed), \(moment): \(ending)")
      return !isDone
    }
    #expect(stopped > 0)
  }

  /// A canceled migration reports it and leaves the store unchanged.
  @Test(arguments: [SIGINT, SIGTERM], seeds)
  private func cancelledAtRandomMoments(signal: Int32, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var trial = try FaultTrial(Setting(journal: .wal, backup: true), rows: Self.manyRows)
    let cancelled = try generator.stops(Soak.times(4), within: trial.duration) { moment in
      let (ending, isDone) = try trial.run(sending: signal, after: moment, "seed \(seed)")
      guard ending.signal == nil else { return false }
      #expect(ending.status == (isDone ? 0 : 130), "seed \(seed), \(moment): \(ending)")
      guard ending.status == 130 else { return false }
      #expect(ending.errors.contains("error: cancelled; "), "\(ending.errors)")
      return true
    }
    #expect(cancelled > 0)
  }

  /// Kills the command before every third statement in WAL mode, and before every statement with a rollback journal. No
  /// statement must have an effect on its own.
  @Test(
    .enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"),
    arguments: [
      (Setting(journal: .wal, backup: false), 3), (Setting(journal: .delete, backup: false), 1),
    ])
  private func killedBeforeStatements(_ setting: Setting, apart: Int) throws {
    var trial = try FaultTrial(setting, rows: 60)
    let count = try trial.count(.statements)
    #expect(count > 60)
    var done: [Bool] = []
    for call in stride(from: 1, through: count, by: apart) {
      let fault = FaultInjection(counted: .statements, call: call, action: .kill)
      let (ending, isDone) = try trial.run(with: fault)
      #expect(ending.signal == SIGKILL, "\(call): \(ending)")
      done.append(isDone)
    }
    // All statements are in one transaction.
    #expect(done.allSatisfy { !$0 })
  }

  /// The state of the files is any state that a kill can leave, including an incomplete write.
  @Test(
    .enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"),
    arguments: Setting.all)
  private func killedInCallsThatChangeFiles(_ setting: Setting) throws {
    var trial = try FaultTrial(setting, rows: 60)
    let count = try trial.count(.files)
    #expect(count > 60)
    var done: [Bool] = []
    // The last call follows the commit.
    for call in Array(stride(from: 1, to: count, by: max(1, count / 24))) + [count] {
      let fault = FaultInjection(counted: .files, call: call, action: .tear)
      let (ending, isDone) = try trial.run(with: fault)
      #expect(ending.signal == SIGKILL, "\(call): \(ending)")
      done.append(isDone)
    }
    // Before the commit, the store is unchanged. After it, the store is migrated.
    #expect(done.first == false && done.last == true)
    #expect(done == done.sorted { !$0 && $1 })
  }
}
