import struct Foundation.UUID
import PredicateSQL
import SampleData
import SeededRandom
import StoreModel
import StorePredicate
import SQLiteAccess
import Testing

/// A template returns the same statement as the compiler.
///
/// `TEMPLATE_SEEDS=17` repeats one seed, `TEMPLATE_SEEDS=1000-2000` runs more seeds.
struct QueryTemplateTests {
  private static let layout = SampleGraph.layout
  private static let uuid = SampleGraph.storeUUID

  private func compile(_ request: StoreFetchRequest) throws -> CompiledQuery {
    try request.sql(in: Self.layout, storeUUID: Self.uuid)
  }

  private func template(of request: StoreFetchRequest) throws -> QueryTemplate? {
    let shape = try #require(RequestShape(of: request))
    return QueryTemplate(
      try compile(request), of: shape, in: Self.layout, storeUUID: Self.uuid)
  }

  /// All parts of a request. If `RequestShape` didn't compare a part, a request could run the statement of another one.
  /// Before you add a part here, make sure that it is compared.
  @Test func allPartsOfARequestAreCompared() {
    let parts = Mirror(reflecting: StoreFetchRequest(entity: "Thing")).children.compactMap(\.label)
    #expect(
      Set(parts) == [
        "entity", "predicate", "refinement", "membership", "sort", "limit", "offset",
        "includesSubentities", "result", "groupBy", "having", "isDistinct", "sections",
      ])
  }

  /// Returns the statement that both predicates share; nil if the second one must be compiled.
  private func bound(
    _ first: String, _ second: String, of entity: String = "Thing"
  ) throws -> RenderedSQL? {
    let requests = try [first, second].map {
      StoreFetchRequest(entity: entity, predicate: try FormatPredicate(parsing: $0))
    }
    let shape = try #require(RequestShape(of: requests[1]))
    guard shape == RequestShape(of: requests[0]) else { return nil }
    let bound = try template(of: requests[0])?.bound(for: shape)
    if let bound { #expect(bound == RenderedSQL(try compile(requests[1]).sql)) }
    return bound
  }

  @Test func valuesThatAreOnlyBoundShareAStatement() throws {
    #expect(try bound("count16 == 1", "count16 == 7")?.values.contains(.integer(7)) == true)
    #expect(try bound("text == 'a'", "text == 'long'")?.values.contains(.text("long")) == true)
    #expect(try bound("count16 IN {1, 2}", "count16 IN {8, 9}") != nil)
    #expect(try bound("count16 BETWEEN {1, 2}", "count16 BETWEEN {8, 9}") != nil)
    #expect(
      try bound("NOT (count16 > 1 OR text < 'a')", "NOT (count16 > 9 OR text < 'b')") != nil)
  }

  @Test func valuesThatMayDecideDoNot() throws {
    #expect(try bound("count16 == 1", "count16 == nil") == nil)
    #expect(try bound("count16 == 1", "count16 == 1.5") == nil)
    #expect(try bound("count16 IN {1, 2}", "count16 IN {8, 9, 10}") == nil)
    #expect(try bound("text LIKE 'a*'", "text LIKE 'b'") == nil)
    #expect(try bound("text BEGINSWITH 'a'", "text BEGINSWITH 'b'") == nil)
    #expect(try bound("text ==[c] 'a'", "text ==[c] 'b'") == nil)
    #expect(try bound("entity == 'Thing'", "entity == 'Gadget'") == nil)
  }

  /// Limit and offset are bound, but whether a request has them is part of the shape.
  @Test func pagesShareAStatement() throws {
    let first = StoreFetchRequest(entity: "Thing", limit: 10, offset: 20)
    let template = try #require(try template(of: first))
    let next = StoreFetchRequest(entity: "Thing", limit: 10, offset: 30)
    let shape = try #require(RequestShape(of: next))
    #expect(shape == RequestShape(of: first))
    #expect(template.bound(for: shape) == RenderedSQL(try compile(next).sql))
    #expect(RequestShape(of: StoreFetchRequest(entity: "Thing", limit: 10)) != shape)
  }

  @Test func randomRequests() async throws {
    let seeds = Seeds.named("TEMPLATE_SEEDS", otherwise: 1...40)
    let outcome = try await withThrowingTaskGroup(of: Counts.self) { group in
      for seed in seeds { group.addTask { try run(seed) } }
      return try await group.reduce(into: Counts()) { $0.add($1) }
    }
    print("seeds \(seeds): \(outcome)")
    guard seeds == 1...40 else { return }
    // With fewer requests, the test wouldn't prove much.
    #expect(outcome.bound > 2_000 && outcome.changed > 1_000, "\(outcome)")
  }

  private struct Counts {
    var requests = 0
    /// The requests that a template answered. `changed` counts those with values that differ from the first request.
    var bound = 0
    var changed = 0

    mutating func add(_ other: Counts) {
      requests += other.requests
      bound += other.bound
      changed += other.changed
    }
  }

  private func run(_ seed: UInt64) throws -> Counts {
    var sampler = PredicateSampler(graph: SampleGraph(seed: seed), seed: seed)
    var outcome = Counts()
    for _ in 0..<150 {
      let sample = sampler.sample()
      var request = StoreFetchRequest(entity: sample.entity, predicate: try sample.predicate())
      request.result = sampler.pick([.rows, .count, .objectIDs])
      request.limit = sampler.pick([nil, 5])
      request.offset = sampler.pick([0, 0, 3])
      guard let shape = RequestShape(of: request) else { continue }
      let query: CompiledQuery
      do { query = try compile(request) } catch is CheckErrors { continue }
      let made = QueryTemplate(query, of: shape, in: Self.layout, storeUUID: Self.uuid)
      for _ in 0..<4 {
        outcome.requests += 1
        var other = request
        other.predicate = request.predicate?.varied(&sampler.random)
        other.limit = request.limit.map { _ in sampler.below(1_000) }
        guard let made, let otherShape = RequestShape(of: other), otherShape == shape,
          let bound = made.bound(for: otherShape)
        else { continue }
        outcome.bound += 1
        if other != request { outcome.changed += 1 }
        let compiled = Result { RenderedSQL(try compile(other).sql) }
        if case .success(bound) = compiled { continue }
        Issue.record("seed \(seed): \(sample.text) as \(other): \(bound) is not \(compiled)")
      }
    }
    return outcome
  }
}

extension FormatPredicate {
  /// Returns the predicate with other values, some of them of other kinds.
  fileprivate func varied(_ random: inout SeededGenerator) -> FormatPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.right = comparison.right.varied(&random)
      return .comparison(comparison)
    case .and(let members): return .and(members.map { $0.varied(&random) })
    case .or(let members): return .or(members.map { $0.varied(&random) })
    case .not(let negated): return .not(negated.varied(&random))
    }
  }
}

extension FormatExpression {
  fileprivate func varied(_ random: inout SeededGenerator) -> FormatExpression {
    switch kind {
    case .constant(let value): FormatExpression(.constant(value.varied(&random)))
    case .list(let members):
      FormatExpression(.list(members.map { $0.varied(&random) }))
    default: self
    }
  }
}

extension DataValue {
  fileprivate func varied(_ random: inout SeededGenerator) -> DataValue {
    if random.below(20) == 0 {
      return random.pick([.null, .integer(0), .string(""), .boolean(true)])
    }
    switch self {
    case .null: return .null
    case .boolean: return .boolean(random.below(2) == 0)
    case .integer:
      return .integer(random.pick([0, 1, -1, .max, .min, 1 << 53 + 1, Int64(random.below(99))]))
    case .double: return .double(random.pick([0, -0.5, 1e300, .infinity, 0.1]))
    case .string: return .string(random.pick(["", "a", "%_*", "é", "\0", "2020-01-01", "Thing"]))
    case .date: return .date(random.pick([0, -1e9, 0.5]))
    case .uuid:
      return .uuid(
        random.below(2) == 0 ? UUID() : UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      )
    case .binary: return .binary(random.bytes(3))
    case .objectID(var id):
      id.primaryKey = Int64(random.below(20))
      if random.below(8) == 0 { id.store = "00000000-0000-0000-0000-000000000000" }
      return .objectID(id)
    }
  }
}
