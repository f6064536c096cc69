import StoreModel

/// The destinations of a relationship for each row of a table.
@usableFromInline
struct RowLinks: @unchecked Sendable {
  enum Ends {
    /// The row number of each row's destination. It is negative for a row without a destination.
    case toOne([Int32])
    /// The members of row `i` are at the positions from `starts[i]` up to `starts[i + 1]`.
    case toMany(starts: [Int32], members: [Int32])
  }

  let relationship: RelationshipKey
  /// The key path that included the relationship, if it consists of only this relationship. Key paths are immutable, so
  /// this value is Sendable.
  let path: AnyKeyPath?
  let ends: Ends
  /// The destination rows.
  let table: RowTable
}

extension RowLinks.Ends {
  /// - Parameters:
  ///   - keys: the key of the destination for each row.
  ///   - index: the row numbers of the destinations by key.
  init(toOne keys: [Int64], in index: KeyIndex) {
    self = .toOne(keys.map { $0 == KeyIndex.noKey ? -1 : index[$0] ?? -1 })
  }

  /// - Parameters:
  ///   - pairs: the links in any order.
  ///   - keys: the keys of the destination rows.
  init(_ pairs: [MemberPair], ofRows count: Int, keys: [Int64]) {
    var starts = [Int32](repeating: 0, count: count + 1)
    for pair in pairs { starts[Int(pair.owner) + 1] += 1 }
    for row in 0..<count { starts[row + 1] += starts[row] }
    var next = starts
    var placed = [Int32](repeating: 0, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      placed[Int(next[Int(pair.owner)])] = Int32(index)
      next[Int(pair.owner)] += 1
    }
    for row in 0..<count {
      let range = Int(starts[row])..<Int(starts[row + 1])
      guard range.count > 1 else { continue }
      Self.sort(&placed, in: range) { left, right in
        let (left, right) = (pairs[Int(left)], pairs[Int(right)])
        if left.place != right.place { return left.place < right.place }
        return keys[Int(left.member)] < keys[Int(right.member)]
      }
    }
    self = .toMany(starts: starts, members: placed.map { pairs[Int($0)].member })
  }

  /// Sorts a part of the list, unless it is already sorted, which is usual.
  private static func sort(
    _ list: inout [Int32], in range: Range<Int>, by isOrdered: (Int32, Int32) -> Bool
  ) {
    let isSorted = range.dropFirst().allSatisfy { !isOrdered(list[$0], list[$0 - 1]) }
    if !isSorted { list[range].sort(by: isOrdered) }
  }
}

/// The row numbers of a member of a to-many relationship and of its owner.
struct MemberPair {
  var owner: Int32
  var member: Int32
  /// The position in an ordered relationship. `KeyIndex.noKey` means no position and comes first.
  var place: Int64
}
