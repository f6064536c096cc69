/// The places of a longest run of numbers that increase: what may stay where it is when all else moves.
/// Of several, one with the most numbers that should stay.
///
///     increasingRun([3, 1, 2, 5, 4])      // [1, 2, 3] or [1, 2, 4]: of 1, 2 and 5, or of 1, 2 and 4
///
/// In O(n log n): the best run that ends in a number is looked up among those that end in smaller ones, in a
/// tree of maxima (Fenwick's) over the numbers' ranks.
///
/// - Parameters:
///   - numbers: each of them once.
///   - shouldStay: asked for each place.
func increasingRun(
  _ numbers: [Int], preferring shouldStay: (Int) -> Bool = { _ in true }
) -> [Int] {
  let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
  var ranks = [Int](repeating: 0, count: numbers.count)
  for (rank, place) in order.enumerated() { ranks[place] = rank + 1 }
  // A longer run outweighs all preferences together.
  let length = numbers.count + 1
  var weights = [Int](repeating: 0, count: numbers.count)
  var previous = [Int](repeating: -1, count: numbers.count)
  var tree = [Int](repeating: -1, count: numbers.count + 1)
  func heavier(_ one: Int, _ other: Int) -> Int {
    if one < 0 { return other }
    return other >= 0 && weights[other] > weights[one] ? other : one
  }
  for place in numbers.indices {
    var before = -1
    var node = ranks[place] - 1
    while node > 0 {
      before = heavier(before, tree[node])
      node &= node - 1
    }
    previous[place] = before
    weights[place] = (before < 0 ? 0 : weights[before]) + length + (shouldStay(place) ? 1 : 0)
    node = ranks[place]
    while node < tree.count {
      tree[node] = heavier(tree[node], place)
      node += node & -node
    }
  }
  var run: [Int] = []
  var place = numbers.indices.reduce(-1, heavier)
  while place >= 0 {
    run.append(place)
    place = previous[place]
  }
  return run.reversed()
}
