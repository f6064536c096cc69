import SeededRandom
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel
import StoreTestSupport
import StoreVerification
import Testing

@testable import StoreSeeding

/// Rows for random models, checked by a slow and simple implementation of the models' rules.
///
///     SEEDING_SEEDS=17 swift test --filter RandomSeedTests
@Suite struct RandomSeedTests {
  static let seeds = Seeds.named("SEEDING_SEEDS", otherwise: 1...60)

  private func seed(_ store: GraphStore, _ seeding: Seeding) throws -> [String: Int] {
    try store.store.write { connection in
      let plan = try SeedPlan(seeding, in: store.layout, on: connection)
      return try SeedRun(plan, store: store.store.metadata.uuid).run(on: connection)
    }
  }

  /// The store of the tests has no sums.
  private func findings(in store: GraphStore) throws -> [StoreFinding] {
    try store.store.verify(in: store.layout).filter {
      if case .wrongSum = $0.kind { false } else { true }
    }
  }

  private func expectAccepted(_ store: GraphStore, _ model: DataModel, _ note: String) throws
    -> SlowModelCheck
  {
    let check = try SlowModelCheck(store, model)
    #expect(check.faults.isEmpty, "\(note): \(check.faults.prefix(5))")
    let findings = try findings(in: store)
    #expect(findings.isEmpty, "\(note): \(findings.prefix(3))")
    return check
  }

  /// Rows of all entities. The numbers are adapted so that they are possible.
  @Test func everyEntityGetsSome() throws {
    var made = 0
    for seed in Self.seeds {
      let model = RandomSeedModel(seed: seed).model
      let store = try GraphStore(model)
      let inserted: [String: Int]
      do {
        inserted = try self.seed(store, Seeding(seed: seed))
      } catch is SeedError {
        continue
      }
      made += 1
      let check = try expectAccepted(store, model, "seed \(seed)")
      for entity in model.entities {
        #expect(check.count(entity.name) == inserted[entity.name] ?? 0, "seed \(seed)")
      }
      try expectEqualRows(store, model, Seeding(seed: seed), "seed \(seed)")
    }
    #expect(made > Self.seeds.count / 2, "\(made) of \(Self.seeds.count)")
  }

  /// A store with rows gets exactly the requested number of new rows, or an error and no rows.
  @Test func exactlySoManyMore() throws {
    var made = 0
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let model = RandomSeedModel(seed: seed).model
      let store = try GraphStore(model)
      var total: [String: Int] = [:]
      for round in 0..<3 {
        var counts: [String: Int] = [:]
        for entity in model.entities where !entity.isAbstract && random.below(3) > 0 {
          counts[entity.name] = random.below(40)
        }
        do {
          let inserted = try self.seed(store, Seeding(counts: counts, seed: seed))
          #expect(inserted == counts.filter { $0.value > 0 }, "seed \(seed)")
          total.merge(inserted, uniquingKeysWith: +)
          made += 1
        } catch is SeedError {
        } catch is MemberCountError {
          // The existing rows can't refer to all new rows that require it.
          #expect(round > 0, "seed \(seed)")
        }
      }
      let check = try expectAccepted(store, model, "seed \(seed)")
      for entity in model.entities {
        #expect(check.count(entity.name) == total[entity.name] ?? 0, "seed \(seed)")
      }
    }
    #expect(made > Self.seeds.count / 2, "\(made) of \(Self.seeds.count * 3)")
  }

  /// With any model, extreme values stay within the rules that a store requires.
  @Test func extremesAreWhole() throws {
    for seed in Self.seeds {
      let model = RandomSeedModel(seed: seed).model
      let store = try GraphStore(model)
      let rows = SampleRows(store.layout, count: 12, seed: seed)
      try store.store.write { try rows.write(to: $0) }
      let findings = try findings(in: store).filter { $0.severity == .error }
      #expect(findings.isEmpty, "seed \(seed): \(findings.prefix(3))")
    }
  }

  private func expectEqualRows(
    _ store: GraphStore, _ model: DataModel, _ seeding: Seeding, _ note: String
  ) throws {
    let other = try GraphStore(model)
    _ = try seed(other, seeding)
    #expect(try store.dump() == other.dump(), "\(note)")
  }
}
