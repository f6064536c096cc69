extension Range<Int> {
  /// The first place at which a condition holds that holds at all places behind it, too; the end when it
  /// holds nowhere. Asks for O(log n) places.
  @inline(__always)
  func firstPlace(where holds: (Int) throws -> Bool) rethrows -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if try holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
