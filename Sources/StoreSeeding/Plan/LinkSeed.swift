import StoreModel

/// The destinations of a to-one relationship. Rows are numbered from 0 over all entities that have the relationship.
struct ToOneSeed: Hashable, Sendable {
  enum Choice: Hashable, Sendable {
    /// A random destination. On average, one in `noneIn` rows doesn't have a destination. If `noneIn` is nil, each row
    /// has a destination.
    case any(noneIn: Int?)
    /// The first `links` rows have the destinations of `Shuffle` in turn, so that they are distributed evenly.
    case inTurn(Shuffle, links: Int)
    /// The first `links` rows have different destinations, except that on average, one in `noneIn` of them has none.
    case oneEach(Shuffle, links: Int, noneIn: Int?)
    /// Each row leads to the next one, and the last row to the first one.
    case next
    /// Rows lead to each other in pairs. If the last row doesn't have a partner but needs one, it leads to itself.
    case mates(needsOne: Bool)
  }

  let members: SeedMembers
  let choice: Choice

  /// Returns the destination of a row, or nil if it doesn't have one.
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

/// The pairs of a many-to-many relationship.
struct PairSeed: Hashable, Sendable {
  enum Choice: Hashable, Sendable {
    /// Each of the first `owners` rows has a random number of members in the range `sizes`. The members are used in
    /// turn.
    case inTurn(Shuffle, owners: Int, sizes: ClosedRange<Int>)
    /// For a relationship that is its own inverse: the rows form a ring, and each row has `size` members, which are the
    /// nearest rows on both sides and, if `size` is odd, the opposite row.
    case ring(size: Int)
  }

  let owners: SeedMembers
  let members: SeedMembers
  let choice: Choice

  struct Pair: Hashable, Sendable {
    var owner: Int64
    var member: Int64
    /// The position of the member among the owner's members.
    var place: Int64
    /// The position of the owner among the member's owners.
    var placeBack: Int64
  }

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

  /// Returns the distances from a row to its members in a ring of `count` rows. Each distance has an inverse: 1 and -1,
  /// 2 and -2. For an odd number of members, half of the ring is added, which is its own inverse.
  private static func steps(_ size: Int, of count: Int) -> [Int] {
    let sides = (0..<size / 2).flatMap { [$0 + 1, count - $0 - 1] }
    return size % 2 == 0 ? sides : sides + [count / 2]
  }

  /// Returns whether each row in a ring of `count` rows can have `size` members.
  static func isRing(_ size: Int, of count: Int) -> Bool {
    size < count && (size % 2 == 0 || count % 2 == 0)
  }
}

/// The minimum and maximum number of members of a to-many relationship.
struct CountRule: Hashable, Sendable {
  let least: Int
  let most: Int
  /// Whether the relationship may be empty regardless of its minimum, because it is optional.
  let mayBeEmpty: Bool

  /// - Parameter relationship: The relationship, or nil for any number of members.
  init(_ relationship: RelationshipDescription?) {
    let counted = relationship.flatMap { $0.isToMany ? $0 : nil }
    mayBeEmpty = counted?.isOptional ?? true
    // Core Data treats an empty relationship as a missing value if it isn't optional.
    least = max(counted?.minimumCount ?? 0, mayBeEmpty ? 0 : 1)
    most = counted?.maximumCount.flatMap { $0 > 0 ? $0 : nil } ?? .max
  }

  var isNone: Bool { least == 0 && most == .max }

  /// Returns how many of the owners get members if there are `count` members. If the relationship may be empty, only as
  /// many owners get members as can have the minimum.
  func owners(sharing count: Int, of owners: Int) -> Int {
    guard mayBeEmpty, least > 0 else { return owners }
    return min(owners, count / least)
  }

  /// Returns the maximum number of members that `owners` can have together.
  func room(of owners: Int) -> Int {
    let (room, overflow) = owners.multipliedReportingOverflow(by: most)
    return overflow ? .max : room
  }
}
