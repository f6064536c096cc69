import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Rows with the destinations of their relationships.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct IncludingTests {
  /// Two orders: one of Ann with tea and a pot, and one without a customer or lines.
  private func market() async throws -> (MarketStore, MarketRows) {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 4)
    try await market.store.transaction { transaction in
      try transaction.update(rows.orders[0]) {
        $0.customer = rows.customers[0]
        $0.clerk = rows.people[0]
      }
      try transaction.update(rows.orders[2]) { $0.customer = rows.customers[0] }
      try transaction.update(rows.orders[1]) { $0.clerk = rows.people[3] }
      for (line, product) in zip(rows.lines, [3, 3, 0, 1]) {
        try transaction.update(line) { $0.product = rows.products[product] }
      }
      try transaction.move([rows.lines[4]], in: \.lines, of: rows.orders[0], to: 0)
      try transaction.setMembers(\.tags, of: rows.products[3], to: [rows.tags[2], rows.tags[0]])
      try transaction.setMembers(\.tags, of: rows.products[0], to: [rows.tags[0]])
    }
    return (market, rows)
  }

  @Test func oneToOneEach() async throws {
    let (market, rows) = try await market()
    let orders = try await market.store.fetch(Order.all.including(\.customer))
    #expect(orders.map(\.number) == [0, 1, 2, 3])
    #expect(orders.map(\.id) == rows.orders)
    #expect(
      try orders.map { try $0[\.customer]?.name } == ["customer 1", nil, "customer 1", nil])
    #expect(try orders[0][\.customer]?.id == rows.customers[0])
    let alone = try await market.store.object(rows.orders[0])
    #expect(orders[0].stored == alone)
  }

  @Test func membersAndWhatIsBehindThem() async throws {
    let (market, _) = try await market()
    let orders = try await market.store.fetch(Order.all.including(\.lines, \.lines.product))
    let amounts = try orders.map { try $0[\.lines].map(\.amount) }
    #expect(amounts == [[4, 0], [1, 5], [2, 6], [3, 7]])
    let titles = try orders.map { try $0[\.lines].map { try $0[\.product]?.title } }
    #expect(
      titles == [
        [nil, "product 3"], ["product 3", nil], ["product 0", nil], ["product 1", nil],
      ])
    // The intermediate relationships of a path are included too.
    let deep = try await market.store.fetch(Order.all.including(\.lines.product.tags))
    #expect(
      try deep.map { try $0[\.lines].map { try $0[\.product]?[\.tags].map(\.word) ?? [] } }
        == [[[], ["tag 2", "tag 0"]], [["tag 2", "tag 0"], []], [["tag 0"], []], [[], []]])
  }

  @Test func subentitiesOneToOneAndOtherSides() async throws {
    let (market, rows) = try await market()
    let store = market.store
    let card = try await store.create(LoyaltyCard(number: 7, customer: rows.customers[0]))
    let orders = try await store.fetch(
      Order.all.including(\.clerk, \.customer.card, \.customer.orders, \.notes))
    #expect(try orders.map { try $0[\.clerk]?.name } == ["clerk 0", "customer 3", nil, nil])
    #expect(try orders[0][\.clerk]?.id.cast(to: Clerk.self) != nil)
    #expect(try orders[0][\.customer.card]?.id == card)
    #expect(try orders[0][\.customer]?[\.card]?.number == 7)
    #expect(try orders[1][\.customer.card] == nil)
    #expect(try orders[0][\.customer.orders].map(\.number) == [0, 2])
    #expect(try orders[1][\.customer.orders].isEmpty)
    #expect(try orders.allSatisfy { try $0[\.notes].isEmpty })
    // Relationships that a sub-entity inherits, starting at its own rows.
    try await store.add([rows.people[2], rows.people[1]], to: \.friends, of: rows.people[0])
    try await store.add([rows.people[3], rows.people[1]], to: \.teachers, of: rows.people[0])
    try await store.add([rows.notes[1], rows.notes[0]], to: \.memos, of: rows.people[0])
    let clerks = try await store.fetch(
      Clerk.all.including(\.friends, \.teachers, \.memos, \.served))
    #expect(try clerks.map { try $0[\.friends].map(\.id.key) } == [[2, 3], [1]])
    #expect(try clerks.map { try $0[\.teachers].map(\.id.key) } == [[4, 2], []])
    #expect(try clerks.map { try $0[\.memos].map(\.text) } == [["note 0", "note 1"], []])
    #expect(try clerks.map { try $0[\.served].map(\.number) } == [[0], []])
    let people = try await store.fetch(Contact.all.including(\.students, \.friends.friends))
    #expect(try people.map { try $0[\.students].map(\.id.key) } == [[], [1], [], [1]])
    #expect(
      try people[1][\.friends].map { try $0[\.friends].map(\.id.key) } == [[2, 3]])
  }

  @Test func theQueryChoosesTheRows() async throws {
    let (market, _) = try await market()
    let query = Order.all.where(\.number < 3).ordered(by: .descending(\.number)).offset(1).limit(2)
    let orders = try await market.store.fetch(query.including(\.lines))
    #expect(orders.map(\.number) == [1, 0])
    #expect(try orders.map { try $0[\.lines].map(\.amount) } == [[1, 5], [4, 0]])
    let first = try await market.store.first(query.including(\.lines))
    #expect(try first?[\.lines].map(\.amount) == [1, 5])
    #expect(try await market.store.first(query.limit(0).including(\.lines)) == nil)
    #expect(
      try await market.store.first(Order.all.where(\.number > 9).including(\.customer)) == nil)
  }

  @Test func oneStateOfTheStore() async throws {
    let (market, rows) = try await market()
    let (before, after) = try await market.store.transaction { transaction in
      let query = Order.all.including(\.lines)
      let before = try transaction.fetch(query)
      try transaction.delete(rows.lines[0])
      return (before, try transaction.fetch(query))
    }
    #expect(try before[0][\.lines].map(\.amount) == [4, 0])
    #expect(try after[0][\.lines].map(\.amount) == [4])
    #expect(before[1] == after[1] && before[0] != after[0])
    let read = try await market.store.read { try $0.fetch(Order.all.including(\.lines)) }
    #expect(read == after)
    let first = try await market.store.read { try $0.first(Order.all.including(\.lines)) }
    #expect(first == after[0])
  }

  @Test func danglingReferencesLeadNowhere() async throws {
    let (market, _) = try await market()
    #expect(
      try market.rows(
        """
        UPDATE ZORDER SET ZCUSTOMER = 99 WHERE Z_PK = 1; UPDATE ZORDER SET ZCUSTOMER = 'x' WHERE Z_PK = 2;
        UPDATE ZORDER SET ZCUSTOMER = 1 WHERE Z_PK = 3; UPDATE ZLINE SET ZORDER = 99 WHERE Z_PK = 4;
        UPDATE ZORDER SET ZCUSTOMER = 9223372036854775807 WHERE Z_PK = 4;
        """) == [])
    let orders = try await market.store.fetch(
      Order.all.where(\.number != 1).including(\.customer, \.lines))
    // Contact 1 is a clerk, not a customer.
    #expect(try orders.map { try $0[\.customer]?.id } == [nil, nil, nil])
    #expect(try orders.map { try $0[\.lines].map(\.amount) } == [[4, 0], [2, 6], [7]])
  }

  @Test func whatWasNotIncludedIsAnError() async throws {
    let (market, _) = try await market()
    let orders = try await market.store.fetch(Order.all.including(\.lines))
    for work: () throws -> Void in [
      { _ = try orders[0][\.customer] }, { _ = try orders[0][\.notes] },
      { _ = try orders[0][\.lines][0][\.product] }, { _ = try orders[0][\.customer.card] },
    ] {
      let failure = try await failure { try work() }
      #expect(failure?.reason == .invalidRequest)
      #expect(failure?.diagnostics.first?.code == "object.not-included")
    }
  }

  @Test func anUnreadableRowIsNamed() async throws {
    let (market, _) = try await market()
    #expect(try market.rows("UPDATE ZARTICLE SET ZTITLE = NULL WHERE Z_PK = 4") == [])
    let failure = try await failure {
      _ = try await market.store.fetch(Order.all.including(\.lines, \.lines.product))
    }
    #expect(failure?.reason == .invalidData)
    #expect(failure?.description.contains("row 4 of 'Article'") == true, "\(failure as Any)")
  }
}
