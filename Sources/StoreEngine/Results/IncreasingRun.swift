/// The places of a longest run of numbers that increase: what may stay where it is when all else moves.
///
///     increasingRun([3, 1, 2, 5, 4])      // [1, 2, 3] or [1, 2, 4]: of 1, 2 and 5, or of 1, 2 and 4
///
/// Patience sorting, in O(n log n): `ends[l]` is the place of the smallest number in which a run of
/// `l + 1` numbers can end.
func increasingRun(_ numbers: [Int]) -> [Int] {
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: numbers.count)
  for (place, number) in numbers.enumerated() {
    var low = 0
    var high = ends.count
    // Most rows stay: they go behind all others.
    if let last = ends.last, numbers[last] < number { low = high }
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[place] = ends[low - 1] }
    if low == ends.count { ends.append(place) } else { ends[low] = place }
  }
  var run = [Int](repeating: 0, count: ends.count)
  var place = ends.last ?? -1
  for length in run.indices.reversed() {
    run[length] = place
    place = previous[place]
  }
  return run
}
