import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// The members of to-many relationships as queries, and changes of them.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct MembersTests {
  private func amounts(_ query: TypedQuery<Line>, in market: MarketStore) async throws -> [Int32] {
    try await market.store.fetch(query).map(\.amount)
  }

  @Test func membersAreAQuery() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 2)
    let (order, other) = (rows.orders[0], rows.orders[1])
    let store = market.store
    // Lines 0 and 2 belong to the first order, lines 1 and 3 to the other.
    try await store.add(rows.lines[3], to: \.lines, of: order, at: 1)
    #expect(try await amounts(order.members(of: \.lines), in: market) == [0, 3, 2])
    #expect(try await amounts(other.members(of: \.lines), in: market) == [1])
    let large = order.members(of: \.lines).where(\.amount > 0)
    #expect(try await amounts(large, in: market) == [3, 2])
    #expect(try await amounts(large.ordered(by: \.amount), in: market) == [2, 3])
    #expect(try await amounts(order.members(of: \.lines).offset(1).limit(1), in: market) == [3])
    #expect(try await store.fetch(large.count) == 2)
    #expect(try await store.fetch(large.ids) == [rows.lines[3], rows.lines[2]])
    #expect(try await store.first(large)?.amount == 3)
    let selected = try await store.fetch(large.select(\.amount, \.order.number))
    #expect(selected.map(\.1) == [0, 0] as [Int64?])
    let results = try await store.liveResults(order.members(of: \.lines))
    #expect(results.list.objectIDs.map(\.primaryKey) == [1, 4, 3])
    // A to-many relationship of a to-one destination.
    let viaOrder = rows.lines[1].members(of: \.order.lines)
    #expect(try await store.fetch(viaOrder.ids) == [rows.lines[1]])
  }

  @Test func aListOfMembersFollowsEdits() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 3)
    let tag = rows.tags[0]
    try await market.store.setMembers(\.products, of: tag, to: rows.products)
    let results = try await market.store.liveResults(tag.members(of: \.products))
    var changes = results.changes.makeAsyncIterator()
    #expect(results.list.objectIDs.map(\.primaryKey) == [1, 2, 3])
    try await market.store.move([rows.products[2]], in: \.products, of: tag, to: 0)
    _ = try await changes.next()
    #expect(results.list.objectIDs.map(\.primaryKey) == [3, 1, 2])
  }

  @Test func placesLieBetweenTheNeighbors() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 1)
    let (order, lines) = (rows.orders[0], rows.lines)
    func places() throws -> [String] {
      try market.rows("SELECT Z_PK, Z_FOK_ORDER FROM ZLINE ORDER BY Z_FOK_ORDER")
    }
    #expect(try places() == ["1|2048", "2|3072"])
    let more = try await market.store.create((3...5).map { Line(amount: $0, order: order) })
    #expect(try places() == ["1|2048", "2|3072", "3|4096", "4|5120", "5|6144"])
    try await market.store.move([more[2]], in: \.lines, of: order, to: 1)
    #expect(try places() == ["1|2048", "5|2560", "2|3072", "3|4096", "4|5120"])
    try await market.store.move([lines[1], lines[0]], in: \.lines, of: order, to: 3)
    #expect(try places() == ["5|2560", "3|4096", "4|5120", "2|6144", "1|7168"])
    try await market.store.move([more[1]], in: \.lines, of: order, to: 0)
    #expect(try places() == ["4|1280", "5|2560", "3|4096", "2|6144", "1|7168"])
    // The neighbors have consecutive positions, so all rows are renumbered.
    #expect(try market.rows("UPDATE ZLINE SET Z_FOK_ORDER = 1281 WHERE Z_PK = 5") == [])
    try await market.store.move([lines[0]], in: \.lines, of: order, to: 1)
    #expect(try places() == ["4|2048", "1|3072", "5|4096", "3|5120", "2|6144"])
  }

  @Test func editsInATransactionAreOneChange() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 3)
    try market.keepHistory()
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await market.store.transaction { transaction in
        try transaction.add(rows.orders, to: \.served, of: rows.people[0])
        #expect(try transaction.fetch(rows.people[0].members(of: \.served).count) == 3)
        throw Refused()
      }
    }
    #expect(try market.rows("SELECT count(*) FROM ZORDER WHERE ZCLERK NOT NULL") == ["0"])
    let count = try await market.store.transaction(author: "till") { transaction in
      try transaction.add(rows.orders, to: \.served, of: rows.people[0])
      try transaction.remove(rows.orders[0], from: \.served, of: rows.people[0])
      return try transaction.add(rows.orders[1], to: \.served, of: rows.people[0])
    }
    #expect(!count)
    #expect(
      try market.rows("SELECT Z_PK, ZCLERK, Z2CLERK FROM ZORDER") != [])
    #expect(
      try await market.store.fetch(Order.all.select(\.clerk)).map { $0?.key } == [nil, 1, 1])
    #expect(try market.rows("SELECT count(*) FROM ATRANSACTION") == ["1"])
    try market.expectSound("after a transaction")
  }

  @Test func rulesOfTheModelHold() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 6)
    let store = market.store
    let person = rows.people[0]
    func expect(
      _ reason: StoreError.Reason, _ code: String, _ work: () async throws -> Void
    ) async throws {
      let failure = try await failure(work)
      #expect(failure?.reason == reason, "\(failure as Any)")
      #expect(failure?.diagnostics.first?.code == code, "\(failure as Any)")
    }
    let before = try market.rows(".dump")
    try await expect(.invalidData, "value.member-count") {
      try await store.add(Array(rows.orders.prefix(5)), to: \.served, of: person)
    }
    try await expect(.invalidData, "value.missing") {
      try await store.remove(rows.lines[0], from: \.lines, of: rows.orders[0])
    }
    try await expect(.invalidRequest, "object.not-ordered") {
      try await store.move([rows.orders[0]], in: \.served, of: person, to: 0)
    }
    try await expect(.invalidRequest, "object.no-position") {
      try await store.add(rows.notes[0], to: \.notes, of: rows.orders[0], at: 1)
    }
    try await expect(.invalidData, "object.no-member") {
      try await store.move([rows.lines[1]], in: \.lines, of: rows.orders[0], to: 0)
    }
    try await expect(.invalidRequest, "object.several-relationships") {
      try await store.remove(rows.lines[0], from: \.order.lines, of: rows.lines[1])
    }
    let gone = try #require(
      TypedObjectID<Line>(ObjectID(store: nil, entity: "Line", primaryKey: 99)))
    try await expect(.invalidData, "value.dangling-reference") {
      try await store.add(gone, to: \.lines, of: rows.orders[0])
    }
    let noOrder = try #require(
      TypedObjectID<Order>(ObjectID(store: nil, entity: "Order", primaryKey: 99)))
    try await expect(.noObject, "object.missing") {
      try await store.add(rows.lines[0], to: \.lines, of: noOrder)
    }
    let strange = try #require(
      TypedObjectID<Line>(
        ObjectID(
          store: "58EE245C-13A5-4D1F-9D2A-5B2D6E3A2F10", entity: "Line", primaryKey: 1)))
    try await expect(.invalidData, "value.wrong-object") {
      try await store.add(strange, to: \.lines, of: rows.orders[0])
    }
    #expect(try market.rows(".dump") == before)
  }
}
