import SeededRandom
import StoreModel
import StorePredicate
import Testing

/// Random predicates over random objects: SQL finds the same rows as the evaluator in memory.
///
/// `DIFFERENTIAL_SEEDS=17` repeats one seed, `DIFFERENTIAL_SEEDS=1000-2000` runs more seeds.
struct DifferentialTests {
  private static let seeds = Seeds.named("DIFFERENTIAL_SEEDS", otherwise: 1...80)

  private static let predicatesPerSeed = 250

  /// Functions that can't be compared: both sides generate different random numbers, and the model doesn't contain
  /// locations.
  private static let absent: Set<String> = [
    "function random", "function random:", "function distanceToLocation:fromLocation:",
  ]

  @Test func sqlFindsWhatTheEvaluatorFinds() async throws {
    let result = try await withThrowingTaskGroup(of: Counts.self) { group in
      for seed in Self.seeds {
        group.addTask { try Self.run(seed) }
      }
      return try await group.reduce(into: Counts()) { $0.add($1) }
    }
    print("seeds \(Self.seeds): \(result.summary)")
    print("rarest: \(result.constructs.rarest(12))")
    guard Self.seeds == 1...80 else { return }
    let unusual = result.refused + result.unanswered
    #expect(unusual * 100 < result.predicates, "too many have no result: \(result.summary)")
    #expect(result.selective * 4 > result.predicates, "too few match a part: \(result.summary)")
    for construct in ConstructTally.all where !Self.absent.contains(construct) {
      let count = result.constructs.counts[construct, default: 0]
      #expect(count >= 40, "\(construct) occurs in too few of \(result.predicates) predicates")
    }
  }

  private struct Counts {
    var predicates = 0
    /// Predicates that the checker rejects because they don't fit the model.
    var refused = 0
    var refusals: [String: Int] = [:]
    /// Predicates for which both sides fail with an error.
    var unanswered = 0
    /// Predicates that match some rows but not all.
    var selective = 0
    var constructs = ConstructTally()

    var summary: String {
      "\(predicates) predicates, \(selective) selective, \(refused) refused \(refusals), \(unanswered) unanswered"
    }

    mutating func add(_ other: Counts) {
      predicates += other.predicates
      refused += other.refused
      refusals.merge(other.refusals, uniquingKeysWith: +)
      unanswered += other.unanswered
      selective += other.selective
      constructs.add(other.constructs)
    }
  }

  private static func run(_ seed: UInt64) throws -> Counts {
    let comparison = try BackendComparison(SampleGraph(seed: seed))
    var sampler = PredicateSampler(graph: comparison.graph, seed: seed)
    var outcome = Counts()
    var failures = 0
    while outcome.predicates < predicatesPerSeed, failures < 3 {
      let sample = sampler.sample()
      outcome.predicates += 1
      do {
        let predicate = try sample.predicate()
        outcome.constructs.add(predicate, text: sample.text)
        switch comparison.answer(predicate, of: sample.entity) {
        case .refused(let code):
          outcome.refused += 1
          outcome.refusals[code, default: 0] += 1
        case .unanswered: outcome.unanswered += 1
        case .same(let found, let all):
          if found > 0, found < all { outcome.selective += 1 }
        case .different:
          failures += 1
          let smallest = predicate.reduced { comparison.differs($0, of: sample.entity) }
          Issue.record(
            """
            seed \(seed), of \(sample.entity): \(sample.text) \(sample.bindings) \(sample.arguments)
            \(comparison.explanation(of: smallest, of: sample.entity))
            """)
        }
      } catch {
        failures += 1
        Issue.record("seed \(seed): \(sample.text)\n\(error)")
      }
    }
    return outcome
  }
}
