import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Compares included rows with one request per row, on random rows.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(10)))
struct RandomIncludingTests {
  /// `INCLUDING_SEEDS=1-500` runs more seeds.
  @Test(arguments: Seeds.named("INCLUDING_SEEDS", otherwise: 1...4))
  func agree(_ seed: UInt64) async throws {
    let market = try await MarketStore()
    var random = SeededGenerator(seed: seed)
    // Some tables exceed the number of rows that are fetched by key.
    let rows = try await MarketRows.fill(market.store, 30 + random.below(2) * 300)
    try await link(rows, in: market.store, seed: random.next())
    // Rows whose destinations are missing, and keys with gaps.
    let gap = Int64(1 + random.below(2) * 1_000_000)
    let moved = try market.rows(
      """
      UPDATE ZARTICLE SET Z_PK = Z_PK * \(gap); UPDATE ZLINE SET ZPRODUCT = ZPRODUCT * \(gap);
      DELETE FROM ZARTICLE WHERE Z_PK % 7 = 3; DELETE FROM ZNOTE WHERE Z_PK % 5 = 2;
      """)
    #expect(moved == [])
    for number in 0..<6 {
      let comment = Comment(rawValue: "seed \(seed), query \(number)")
      var query = Order.all
      if random.below(3) > 0 { query = query.where(\.number > Int64(random.below(20))) }
      if random.below(2) == 0 { query = query.ordered(by: .descending(\.clerk.name)) }
      if random.below(2) == 0 { query = query.offset(random.below(4)).limit(1 + random.below(300)) }
      let orders = try await market.store.fetch(
        query.including(\.clerk.friends, \.customer, \.lines, \.lines.product.tags)
          .including(\.notes))
      #expect(orders.map(\.stored) == (try await market.store.fetch(query)), comment)
      for order in orders.prefix(25) { try await expect(order, in: market.store, comment) }
    }
    let people = try await market.store.fetch(
      Contact.all.including(\.friends, \.teachers, \.students.served, \.memos))
    for person in people.prefix(25) {
      let id = person.id
      try await expect(person[\.friends], id.members(of: \.friends), in: market.store, "\(seed)")
      try await expect(person[\.teachers], id.members(of: \.teachers), in: market.store, "\(seed)")
      try await expect(person[\.students], id.members(of: \.students), in: market.store, "\(seed)")
      try await expect(person[\.memos], id.members(of: \.memos), in: market.store, "\(seed)")
    }
  }

  private func expect(
    _ order: Included<Order>, in store: PersistentStore, _ comment: Comment
  ) async throws {
    try await expect(order[\.clerk], order.clerk, in: store, comment)
    try await expect(order[\.customer], order.customer, in: store, comment)
    if let clerk = try order[\.clerk] {
      try await expect(clerk[\.friends], clerk.id.members(of: \.friends), in: store, comment)
    }
    try await expect(order[\.notes], order.id.members(of: \.notes), in: store, comment)
    try await expect(order[\.lines], order.id.members(of: \.lines), in: store, comment)
    for line in try order[\.lines] {
      try await expect(line[\.product], line.product, in: store, comment)
      guard let product = try line[\.product] else { continue }
      try await expect(product[\.tags], product.id.members(of: \.tags), in: store, comment)
    }
  }

  private func expect<Object: StoredObject>(
    _ found: Included<Object>?, _ id: TypedObjectID<Object>?, in store: PersistentStore,
    _ comment: Comment
  ) async throws {
    var expected: Stored<Object>?
    if let id { expected = try await store.object(id) }
    #expect(found?.stored == expected, comment)
  }

  private func expect<Object: StoredObject>(
    _ found: IncludedMembers<Object>, _ query: TypedQuery<Object>, in store: PersistentStore,
    _ comment: Comment
  ) async throws {
    #expect(found.map(\.stored) == (try await store.fetch(query)), comment)
  }

  private func link(_ rows: MarketRows, in store: PersistentStore, seed: UInt64) async throws {
    try await store.transaction { transaction in
      var random = SeededGenerator(seed: seed)
      func some<ID>(_ ids: [ID]) -> [ID] { (0..<random.below(4)).map { _ in random.pick(ids) } }
      for (number, order) in rows.orders.enumerated() {
        let (clerk, customer) = (random.pick(rows.people), random.pick(rows.customers))
        try transaction.update(order) {
          if number % 5 > 0 { $0.customer = customer }
        }
        if number % 3 > 0, try transaction.fetch(clerk.members(of: \.served).count) < 4 {
          try transaction.add(order, to: \.served, of: clerk)
        }
        try transaction.add(some(rows.notes), to: \.notes, of: order)
        try transaction.add(some(rows.lines), to: \.lines, of: order, at: 0)
      }
      for (number, line) in rows.lines.enumerated() where number % 4 > 0 {
        let product = random.pick(rows.products)
        try transaction.update(line) { $0.product = product }
      }
      for person in rows.people {
        try transaction.add(some(rows.people), to: \.friends, of: person)
        try transaction.add(some(rows.people), to: \.teachers, of: person)
        try transaction.add(some(rows.notes), to: \.memos, of: person)
      }
      for product in rows.products {
        try transaction.setMembers(\.tags, of: product, to: some(rows.tags))
      }
    }
  }
}
