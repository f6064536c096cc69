import Foundation
import StoreMigration

/// Reads, writes, observes and migrates stores in many tasks at the same time, and checks the results.
///
///     Stress SEED SECONDS
///
/// The seed determines what each task does. The order of concurrent tasks is different in each run.
@main
struct Stress {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard arguments.count == 2 else {
      print("usage: Stress SEED SECONDS")
      exit(64)
    }
    var random = SeededRandom(seed: arguments[0])
    let end = ContinuousClock.now + .seconds(Int(arguments[1]))
    var (rounds, total) = (0, Totals())
    repeat {
      let totals = try await Round(seed: random.next()).run()
      rounds += 1
      total.add(totals)
    } while ContinuousClock.now < end
    print(
      """
      seed \(arguments[0]): \(rounds) rounds, \(total.writes) writes, \(total.rollbacks) rollbacks, \
      \(total.reads) reads, \(total.results) observed results, \(total.cancellations) cancellations
      """)
  }
}

/// Ends the program with a message unless a condition is true.
func check(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
  guard !condition else { return }
  print("line \(line): \(message())")
  exit(1)
}

/// The random numbers of a task: SplitMix64.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The numbers of requests and results of tasks.
struct Totals: Sendable {
  var writes = 0
  var rollbacks = 0
  var reads = 0
  var results = 0
  var cancellations = 0
  /// The number of rows that were created minus the number of rows that were deleted.
  var rows = 0

  mutating func add(_ other: Totals) {
    writes += other.writes
    rollbacks += other.rollbacks
    reads += other.reads
    results += other.results
    cancellations += other.cancellations
    rows += other.rows
  }
}
