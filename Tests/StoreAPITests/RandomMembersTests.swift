import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Random edits of members, compared with lists in memory and with the history. `verify` must not report anything.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(10)))
struct RandomMembersTests {
  /// A relationship of a store and its expected members.
  private struct Subject {
    let name: String
    let owners: [Int64]
    let pool: [Int64]
    var expected: RandomMembers
    let edit: (RandomMembers.Edit, Int64) async throws -> Void
    let members: (Int64) async throws -> [Int64]

    init<Owner: StoredObject, Member: StoredObject>(
      _ path: KeyPath<Owner.Properties, ToManyPath<Owner, Member>> & Sendable,
      _ owners: [TypedObjectID<Owner>], _ pool: [TypedObjectID<Member>], _ expected: RandomMembers,
      in store: PersistentStore
    ) {
      name = "\(Owner.entityName).\(Owner.Properties()[keyPath: path].count.expression)"
      self.owners = owners.map(\.key)
      self.pool = pool.map(\.key)
      self.expected = expected
      let owner = Dictionary(uniqueKeysWithValues: owners.map { ($0.key, $0) })
      let row = Dictionary(uniqueKeysWithValues: pool.map { ($0.key, $0) })
      edit = { edit, key in
        let owner = try #require(owner[key])
        func rows(_ keys: [Int64]) -> [TypedObjectID<Member>] { keys.compactMap { row[$0] } }
        switch edit {
        case .add(let keys, let position):
          try await store.add(rows(keys), to: path, of: owner, at: position)
        case .remove(let keys): try await store.remove(rows(keys), from: path, of: owner)
        case .move(let keys, let position):
          try await store.move(rows(keys), in: path, of: owner, to: position)
        case .set(let keys): try await store.setMembers(path, of: owner, to: rows(keys))
        }
      }
      members = { key in
        try await store.fetch(try #require(owner[key]).members(of: path).ids).map(\.key)
      }
    }
  }

  /// `MEMBER_SEEDS=1-500` runs more seeds.
  @Test(arguments: Seeds.named("MEMBER_SEEDS", otherwise: 1...6))
  func agree(_ seed: UInt64) async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 6)
    try market.keepHistory()
    var random = SeededGenerator(seed: seed)
    var subjects = try await subjects(in: market, rows)
    var (done, refused) = (0, 0)
    for number in 0..<60 {
      let index = random.below(subjects.count)
      let comment = Comment(rawValue: "seed \(seed), edit \(number) of \(subjects[index].name)")
      let owner = random.pick(subjects[index].owners)
      let edit = RandomMembers.Edit.random(
        &random, of: subjects[index].expected.members(of: owner), among: subjects[index].pool,
        isOrdered: subjects[index].expected.isOrdered)
      let before = try market.rows("SELECT count(*) FROM ATRANSACTION")
      let touched = subjects[index].expected.apply(edit, of: owner)
      let failure = try await failure { try await subjects[index].edit(edit, owner) }
      #expect((failure == nil) == (touched != nil), "\(comment): \(edit), \(failure as Any)")
      for owner in subjects[index].owners {
        #expect(
          try await subjects[index].members(owner) == subjects[index].expected.members(of: owner),
          "\(comment): \(edit) of \(owner)")
      }
      if let touched, !touched.owners.isEmpty {
        done += 1
        try expectHistory(of: touched, subjects[index].name, market, comment)
      } else {
        refused += 1
        #expect(try market.rows("SELECT count(*) FROM ATRANSACTION") == before, comment)
      }
    }
    #expect(done > 20 && refused > 2, "seed \(seed)")
    try await expectOtherSides(of: subjects, rows, market, seed)
    try market.expectSound("seed \(seed)")
  }

  private func subjects(in market: MarketStore, _ rows: MarketRows) async throws -> [Subject] {
    let store = market.store
    var lines = RandomMembers(isOrdered: true, .one(isRequired: true))
    for order in rows.orders {
      lines.forth[order.key] = try await store.fetch(order.members(of: \.lines).ids).map(\.key)
    }
    return [
      Subject(\Order.Properties.lines, rows.orders, rows.lines, lines, in: store),
      Subject(
        \Order.Properties.notes, rows.orders, rows.notes,
        RandomMembers(isOrdered: true, .one(isRequired: false)), in: store),
      Subject(
        \Contact.Properties.served, rows.people, rows.orders,
        RandomMembers(isOrdered: false, .one(isRequired: false), most: 4), in: store),
      Subject(
        \Contact.Properties.memos, rows.people, rows.notes,
        RandomMembers(isOrdered: false, .one(isRequired: false)), in: store),
      Subject(
        \Contact.Properties.friends, rows.people, rows.people,
        RandomMembers(isOrdered: false, .itself), in: store),
      Subject(
        \Contact.Properties.teachers, rows.people, rows.people,
        RandomMembers(isOrdered: true, .many(isOrdered: false)), in: store),
      Subject(
        \Tag.Properties.products, rows.tags, rows.products,
        RandomMembers(isOrdered: true, .many(isOrdered: true), mostReturning: 5), in: store),
    ]
  }

  /// Expects that owners change in the relationship, and members in its inverse.
  private func expectHistory(
    of touched: (owners: Set<Int64>, members: Set<Int64>), _ name: String, _ market: MarketStore,
    _ comment: Comment
  ) throws {
    let inverses = [
      "lines": "order", "served": "clerk", "friends": "friends", "teachers": "students",
      "products": "tags",
    ]
    let relationship = try #require(name.split(separator: ".").dropFirst().first)
    var changes: [Int64: Set<String>] = [:]
    let isOneTable = ["friends", "teachers"].contains(relationship)
    let offset: Int64 = isOneTable ? 0 : 1_000
    for owner in touched.owners { changes[owner, default: []].insert(String(relationship)) }
    if let inverse = inverses[String(relationship)] {
      for member in touched.members { changes[member + offset, default: []].insert(inverse) }
    }
    let expected = changes.map { key, names in
      "\(key % 1_000): \(names.sorted().joined(separator: ", "))"
    }.sorted()
    let found = try market.lastChanges().map { $0.drop { $0 != " " }.dropFirst() }
    #expect(found.map(String.init).sorted() == expected, comment)
  }

  /// Expects that both sides of each relationship agree.
  private func expectOtherSides(
    of subjects: [Subject], _ rows: MarketRows, _ market: MarketStore, _ seed: UInt64
  ) async throws {
    let (lines, served, teachers, products) = (subjects[0], subjects[2], subjects[5], subjects[6])
    for line in try await market.store.fetch(Line.all) {
      let order = try #require(line.order?.key)
      #expect(lines.expected.members(of: order).contains(line.id.key), "seed \(seed)")
    }
    for order in try await market.store.fetch(Order.all) {
      let owner = served.expected.forth.first { $0.value.contains(order.id.key) }?.key
      #expect(order.clerk?.key == owner, "seed \(seed)")
    }
    for person in rows.people {
      let students = try await market.store.fetch(person.members(of: \.students).ids)
      #expect(students.map(\.key) == teachers.expected.owners(of: person.key), "seed \(seed)")
    }
    for product in rows.products {
      let tags = try await market.store.fetch(product.members(of: \.tags).ids)
      #expect(tags.map(\.key) == products.expected.owners(of: product.key), "seed \(seed)")
    }
  }
}
