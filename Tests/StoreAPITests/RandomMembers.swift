import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import Testing

/// The expected members of a to-many relationship, in memory.
struct RandomMembers: Sendable {
  enum Back: Sendable {
    /// The inverse is to-one or missing: a row is a member of one owner.
    case one(isRequired: Bool)
    case many(isOrdered: Bool)
    /// The relationship is its own inverse.
    case itself
  }

  let isOrdered: Bool
  let back: Back
  var most = Int.max
  /// Ordered members by owner.
  var forth: [Int64: [Int64]] = [:]
  /// Ordered owners by member, for many-to-many relationships.
  var returning: [Int64: [Int64]] = [:]
  /// The maximum count of the inverse of a many-to-many relationship.
  var mostReturning = Int.max

  init(isOrdered: Bool, _ back: Back, most: Int = .max, mostReturning: Int = .max) {
    (self.isOrdered, self.back, self.most) = (isOrdered, back, most)
    self.mostReturning = mostReturning
  }

  enum Edit: Sendable {
    case add([Int64], at: Int?)
    case remove([Int64])
    case move([Int64], to: Int)
    case set([Int64])
  }

  func members(of owner: Int64) -> [Int64] {
    let members = forth[owner] ?? []
    return isOrdered ? members : members.sorted()
  }

  func owners(of member: Int64) -> [Int64] {
    let owners = returning[member] ?? []
    if case .many(isOrdered: true) = back { return owners }
    return owners.sorted()
  }

  /// - Returns: the rows that change on both sides, owners and members; nil for an edit that must fail.
  mutating func apply(_ edit: Edit, of owner: Int64) -> (owners: Set<Int64>, members: Set<Int64>)? {
    var copy = self
    guard let touched = copy.change(edit, owner) else { return nil }
    let isFull =
      copy.members(of: owner).count > most
      || copy.returning.values.contains { $0.count > mostReturning }
    guard !isFull else { return nil }
    self = copy
    return touched
  }

  private mutating func change(
    _ edit: Edit, _ owner: Int64
  ) -> (owners: Set<Int64>, members: Set<Int64>)? {
    let old = forth[owner] ?? []
    switch edit {
    case .add(let members, let position):
      if position != nil, !isOrdered { return nil }
      let new = members.unique.filter { !old.contains($0) }
      guard !new.isEmpty else { return ([], []) }
      guard (0...old.count).contains(position ?? old.count) else { return nil }
      let former = link(new, to: owner)
      var list = forth[owner] ?? []
      // An owner that is now its own member is already in the list.
      list.removeAll { new.contains($0) }
      list.insert(contentsOf: new, at: min(position ?? list.count, list.count))
      forth[owner] = list
      return (former.union([owner]), Set(new))
    case .remove(let members):
      let leaving = old.filter { members.contains($0) }
      guard !leaving.isEmpty else { return ([], []) }
      guard unlink(leaving, from: owner) else { return nil }
      return ([owner], Set(leaving))
    case .move(let members, let position):
      let moved = members.unique
      guard isOrdered, moved.allSatisfy({ old.contains($0) }) else { return nil }
      guard !moved.isEmpty else { return ([], []) }
      var list = old.filter { !moved.contains($0) }
      guard (0...list.count).contains(position) else { return nil }
      list.insert(contentsOf: moved, at: position)
      forth[owner] = list
      return ([owner], [])
    case .set(let members):
      let wanted = members.unique
      guard isOrdered ? old != wanted : Set(old) != Set(wanted) else { return ([], []) }
      let leaving = old.filter { !wanted.contains($0) }
      if !leaving.isEmpty, !unlink(leaving, from: owner) { return nil }
      let new = wanted.filter { !old.contains($0) }
      let former = link(new, to: owner)
      forth[owner] = wanted
      return (former.union([owner]), Set(leaving + new))
    }
  }

  /// - Returns: the owners that lose the members.
  private mutating func link(_ members: [Int64], to owner: Int64) -> Set<Int64> {
    var former: Set<Int64> = []
    for member in members {
      switch back {
      case .one:
        for (other, list) in forth where list.contains(member) {
          former.insert(other)
          forth[other] = list.filter { $0 != member }
        }
      case .many: returning[member, default: []].append(owner)
      case .itself: forth[member, default: []].append(owner)
      }
    }
    return former
  }

  private mutating func unlink(_ members: [Int64], from owner: Int64) -> Bool {
    if case .one(isRequired: true) = back { return false }
    forth[owner]?.removeAll { members.contains($0) }
    for member in members {
      switch back {
      case .one: break
      case .many: returning[member]?.removeAll { $0 == owner }
      case .itself: forth[member]?.removeAll { $0 == owner }
      }
    }
    return true
  }
}

extension RandomMembers.Edit {
  /// Returns a random edit. Most edits are valid, some are not.
  static func random(
    _ random: inout SeededGenerator, of members: [Int64], among all: [Int64], isOrdered: Bool
  ) -> Self {
    let some = (0..<1 + random.below(3)).map { _ in random.pick(all) }
    let own = members.isEmpty ? some : (0..<1 + random.below(3)).map { _ in random.pick(members) }
    let position = random.below(members.count + 1) + (random.below(12) == 0 ? 4 : 0)
    switch random.below(isOrdered ? 7 : 4) {
    case 0: return .add(some, at: random.below(15) == 0 ? 0 : nil)
    case 1: return .add(some, at: nil)
    case 2: return .remove(random.below(3) == 0 ? some : own)
    case 3:
      let kept = members.filter { _ in random.below(2) == 0 }
      return .set((kept + some).shuffled(using: &random))
    case 4: return .add(some, at: position)
    default:
      return .move(random.below(10) == 0 ? some : own, to: max(0, position - Set(own).count))
    }
  }
}

extension [Int64] {
  /// The elements without duplicates.
  var unique: [Int64] {
    var seen: Set<Int64> = []
    return filter { seen.insert($0).inserted }
  }
}
