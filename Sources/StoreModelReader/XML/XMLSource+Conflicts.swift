extension XMLSource {
  /// The lines of each conflict that a merge by Git has left, with its markers.
  var conflicts: [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    var start: Int?
    for (index, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() {
      if line.starts(with: "<<<<<<< ".utf8) { start = index + 1 }
      if line.starts(with: ">>>>>>> ".utf8), let first = start {
        found.append(first...index + 1)
        start = nil
      }
    }
    return found
  }

  /// Where a line begins, counted from 1.
  func offset(ofLine number: Int) -> Int {
    var line = 1
    for (offset, byte) in bytes.enumerated() {
      if line == number { return offset }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    return bytes.count
  }
}
