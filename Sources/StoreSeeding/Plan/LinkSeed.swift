import StoreModel

/// Where the rows of an entity lead by a to-one relationship; of row number `i` among all that have the relationship.
struct ToOneSeed: Hashable, Sendable {
  enum Choice: Hashable, Sendable {
    /// To any; to none once in so many times, where nil is never.
    case any(noneIn: Int?)
    /// The first `links` rows lead to each of `Shuffle` in turn, so that all get as many, give or take one.
    case inTurn(Shuffle, links: Int)
    /// The first `links` rows lead to one each; some to none, where nobody needs it.
    case oneEach(Shuffle, links: Int, noneIn: Int?)
    /// To the next row, the last one to the first.
    case next
    /// Two by two, to each other; a last one without partner to itself, where it needs one.
    case mates(needsOne: Bool)
  }

  let members: SeedMembers
  let choice: Choice

  /// The row it leads to; nil for none.
  func destination(
    of index: Int, _ random: inout SeedRandom
  ) -> (entity: Int64, key: Int64)? {
    guard members.count > 0 else { return nil }
    switch choice {
    case .any(let noneIn):
      if let noneIn, random.oneIn(noneIn) { return nil }
      return members[random.below(members.count)]
    case .inTurn(let shuffle, let links):
      return index < links ? members[shuffle[index % shuffle.count]] : nil
    case .oneEach(let shuffle, let links, let noneIn):
      guard index < links else { return nil }
      if let noneIn, random.oneIn(noneIn) { return nil }
      return members[shuffle[index]]
    case .next: return members[(index + 1) % members.count]
    case .mates(let needsOne):
      let other = index ^ 1
      if other < members.count { return members[other] }
      return needsOne ? members[index] : nil
    }
  }
}

/// The pairs of a many-to-many relationship, or the members of a to-many without inverse.
struct PairSeed: Hashable, Sendable {
  enum Choice: Hashable, Sendable {
    /// Each of the first `owners` has between so many members, and all members come in turn.
    case inTurn(Shuffle, owners: Int, sizes: ClosedRange<Int>)
    /// Of a relationship that is its own inverse: as many members to both sides, in a ring.
    case ring(size: Int)
  }

  let owners: SeedMembers
  let members: SeedMembers
  let choice: Choice

  struct Pair: Hashable, Sendable {
    var owner: Int64
    var member: Int64
    /// The place of the member in its owner, and of the owner in its member.
    var place: Int64
    var placeBack: Int64
  }

  /// All pairs, one after the other.
  func forEach(_ random: inout SeedRandom, _ body: (Pair) throws -> Void) rethrows {
    switch choice {
    case .inTurn(let shuffle, let owners, let sizes):
      var number = 0
      for index in 0..<owners {
        let owner = self.owners[index].key
        let size = sizes.lowerBound + random.below(sizes.count)
        for place in 0..<size {
          let member = members[shuffle[number % shuffle.count]].key
          try body(
            Pair(
              owner: owner, member: member, place: Int64(place),
              placeBack: Int64(number / shuffle.count)))
          number += 1
        }
      }
    case .ring(let size):
      let count = members.count
      for index in 0..<owners.count {
        for (place, step) in Self.steps(size, of: count).enumerated() {
          let member = members[(index + step) % count].key
          try body(
            Pair(owner: owners[index].key, member: member, place: Int64(place), placeBack: 0))
        }
      }
    }
  }

  /// Each step has one that leads back: 1 and -1, 2 and -2, and half of the ring leads back itself.
  private static func steps(_ size: Int, of count: Int) -> [Int] {
    let sides = (0..<size / 2).flatMap { [$0 + 1, count - $0 - 1] }
    return size % 2 == 0 ? sides : sides + [count / 2]
  }

  /// Whether a ring of so many rows can have that many members each.
  static func isRing(_ size: Int, of count: Int) -> Bool {
    size < count && (size % 2 == 0 || count % 2 == 0)
  }
}

/// How many members the model wants a row to have in a to-many relationship.
struct CountRule: Hashable, Sendable {
  let least: Int
  let most: Int
  /// An optional one may be empty whatever its minimum.
  let mayBeEmpty: Bool

  /// What asks for nothing.
  static let none = CountRule(least: 0, most: .max, mayBeEmpty: true)

  private init(least: Int, most: Int, mayBeEmpty: Bool) {
    (self.least, self.most, self.mayBeEmpty) = (least, most, mayBeEmpty)
  }

  /// - Parameter relationship: nil for none, which asks for nothing.
  init(_ relationship: Relationship?) {
    guard let relationship, relationship.isToMany else {
      self = .none
      return
    }
    // Core Data takes an empty one that is not optional for a missing value.
    least = max(relationship.minimumCount ?? 0, relationship.isOptional ? 0 : 1)
    most = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil } ?? .max
    mayBeEmpty = relationship.isOptional
  }

  var isNone: Bool { least == 0 && most == .max }

  /// How many owners, the first ones, can share `count` members so that none has too few.
  func owners(sharing count: Int, of owners: Int) -> Int {
    guard mayBeEmpty, least > 0 else { return owners }
    return min(owners, count / least)
  }

  /// So many members as that number of owners takes.
  func room(of owners: Int) -> Int {
    let (room, overflow) = owners.multipliedReportingOverflow(by: most)
    return overflow ? .max : room
  }
}
